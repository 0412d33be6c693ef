import { Section, Stack } from '../../ui/layout';
import { buttonClass } from '../../ui/button';
import { Row } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import { Identities } from './identities';
import { Passkeys } from './passkeys';
import { useRecentSignIn } from './recent-sign-in';
import { SignInAgain } from './sign-in-again';
import { accountWords } from './words';

const words = accountWords.ways;

/** How the person signs in. Changing it takes a recent sign-in. */
export function SignInTab() {
  const { read, isRecent } = useRecentSignIn();
  return (
    <Stack gap="wide">
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && !isRecent && <SignInAgain />}
      <Passkeys mayChange={isRecent} />
      <Identities mayChange={isRecent} />
      <Section title={words.password}>
        <p>{words.passwordHelp}</p>
        <Row>
          <a className={buttonClass()} href="/account#ways">
            {words.toPassword}
          </a>
        </Row>
      </Section>
    </Stack>
  );
}
