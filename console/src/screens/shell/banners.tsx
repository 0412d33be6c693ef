import { useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { hasDrafts } from '../../ui/draft';
import styles from './shell.module.css';

const CHECK_EVERY_MS = 300_000;

function listen(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function OfflineBanner() {
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <div className={styles.banner} role="status">
      {t.shell.offline}
    </div>
  );
}

/** Says that a newer release is served, but not while something typed could be lost. */
export function VersionBanner() {
  const [isNewer, setNewer] = useState(false);
  useEffect(() => {
    const check = async () => {
      if (document.visibilityState !== 'visible' || !navigator.onLine) return;
      setNewer(await isReplaced());
    };
    const timer = setInterval(() => void check(), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (!isNewer || hasDrafts()) return null;
  return (
    <div className={styles.banner} role="status">
      {t.shell.newVersion}
      <Button icon="refresh" onClick={() => window.location.reload()}>
        {t.shell.reload}
      </Button>
    </div>
  );
}

/** The script of a release has its digest in its name, so a page without ours is another release's. */
async function isReplaced(): Promise<boolean> {
  const ours = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src;
  const response = await fetch('/console/', { headers: { Accept: 'text/html' } }).catch(() => undefined);
  // A session that has ended leads to the page where one signs in.
  if (!ours || !response?.ok || response.redirected) return false;
  return !(await response.text()).includes(new URL(ours).pathname);
}
