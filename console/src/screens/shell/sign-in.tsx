import { useEffect } from 'react';
import { useRead } from '../../api/queries';
import { t } from '../../messages/text';
import { Card, Stack } from '../../ui/layout';
import { Problem, signInAddress, Skeleton } from '../../ui/problem';
import styles from './shell.module.css';

/** Sends people to the page where they sign in; they come back to the same address. */
export function SignIn() {
  const instance = useRead('GET /v1/instance', {});
  const isHere = instance.data?.sign_in.is_here;
  useEffect(() => {
    if (isHere) window.location.replace(signInAddress());
  }, [isHere]);
  if (instance.error) return <Problem error={instance.error} onRetry={() => void instance.refetch()} />;
  if (!instance.data || isHere) return <Skeleton />;
  return (
    <main id="content" className={styles.alone}>
      <Card>
        <Stack>
          <h1>{t.shell.noSignIn}</h1>
          <p>{t.shell.noSignInHelp(instance.data.sign_in.issuer ?? '')}</p>
          <p>{t.shell.noSignInOperator}</p>
          <a href="/docs">{t.shell.docs}</a>
        </Stack>
      </Card>
    </main>
  );
}
