import { asProblem } from '../../api/problem';
import { Problem } from '../../ui/problem';
import { SignInAgain } from './sign-in-again';

/** What went wrong with a change that takes a recent sign-in, which may be over since the page was shown. */
export function SensitiveProblem({ error }: { error: unknown }) {
  if (!error) return null;
  return asProblem(error).status === 403 ? <SignInAgain /> : <Problem error={error} />;
}
