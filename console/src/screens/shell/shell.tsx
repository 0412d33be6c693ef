import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { administers, type Me, useMe } from '../../api/me';
import { asProblem } from '../../api/problem';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Problem, Skeleton } from '../../ui/problem';
import { AccountMenu } from './account-menu';
import { OfflineBanner, VersionBanner } from './banners';
import { SignIn } from './sign-in';
import { centre } from '../../ui/centred';
import styles from './shell.module.css';

const Palette = lazy(() => import('./palette'));
const AskedAsCurl = lazy(() => import('./asked-as-curl'));

/** What is around every screen. It waits for the person, so that no screen asks what the API refuses. */
export function Shell() {
  const me = useMe();
  if (me.data) return <SignedIn me={me.data} />;
  if (me.error && asProblem(me.error).status === 401) return <SignIn />;
  return (
    <div className={styles.alone}>
      {me.error ? <Problem error={me.error} onRetry={() => void me.refetch()} /> : <Skeleton />}
    </div>
  );
}

function SignedIn({ me }: { me: Me }) {
  const [isSearching, setSearching] = useState(false);
  const [showsCalls, setShowsCalls] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setSearching(true);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <a className={styles.skip} href="#content">
        {t.shell.skip}
      </a>
      <OfflineBanner />
      <VersionBanner />
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link to="/" className={styles.brand}>
            {t.shell.brand}
          </Link>
          <Navigation me={me} />
          <div className={styles.tools}>
            <Button icon="search" className={styles.search} onClick={() => setSearching(true)}>
              <span>{t.shell.search}</span>
              <kbd aria-hidden="true">{t.shell.searchKey}</kbd>
            </Button>
            <AccountMenu me={me} onShowCalls={() => setShowsCalls(true)} />
          </div>
        </div>
      </header>
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
      {isSearching && (
        <Suspense>
          <Palette onClose={() => setSearching(false)} onShowCalls={() => setShowsCalls(true)} />
        </Suspense>
      )}
      {showsCalls && (
        <Suspense>
          <AskedAsCurl onClose={() => setShowsCalls(false)} />
        </Suspense>
      )}
    </>
  );
}

function Navigation({ me }: { me: Me }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const list = useRef<HTMLElement>(null);
  useEffect(() => centre(list.current, '[aria-current="page"]'), [path]);
  const isIn = (part: string) => path.startsWith(`${part}/`);
  const own = me.organisations.filter(({ role }) => role !== null);
  const organisation = own.find(({ org_id }) => administers(me, org_id)) ?? own[0];
  return (
    <nav ref={list} className={styles.nav} aria-label={t.shell.nav}>
      <Link to="/" activeOptions={{ exact: true }}>
        {t.shell.home}
      </Link>
      <Link to="/catalogue">{t.shell.catalogue}</Link>
      <Link to="/bundles">{t.shell.bundles}</Link>
      {organisation && <Link to="/requests">{t.shell.requests}</Link>}
      {organisation && (
        <Link
          to="/organisations/$orgId/members"
          params={{ orgId: organisation.org_id }}
          {...(isIn('/organisations') && { 'aria-current': 'page' })}
        >
          {t.shell.organisation}
        </Link>
      )}
      {me.is_platform_admin && (
        <Link to="/platform/categories" {...(isIn('/platform') && { 'aria-current': 'page' })}>
          {t.shell.platform}
        </Link>
      )}
    </nav>
  );
}
