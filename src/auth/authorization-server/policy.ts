import type { interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import type { Session } from '../sessions/session';
import { library } from './library';
import { requestContext } from './request-context';
import { SignInRequired } from './sign-in-required';

/** How recent a sign-in is enough for a client that asks for a new one. */
const RECENT_MS = 5 * 60_000;
/** The way back from the sign-in page. */
const JUST_NOW_MS = 60_000;

/** Whether consent to a client is asked for every time, even if it was given before. */
export type AsksAlways = (ctx: KoaContextWithOIDC) => Promise<boolean>;

/**
 * When the library interrupts an authorization request: its own rules, except that the session of the console decides
 * who is signed in, and that ours say which clients are asked about every time.
 */
export function interactionRules(asksAlways: AsksAlways): interactionPolicy.DefaultPolicy {
  const { base, Check } = library().interactionPolicy;
  const policy = base();
  const login = policy.get('login');
  const consent = policy.get('consent');
  if (!login || !consent) throw new Error('The library has no prompt of this name.');
  login.checks.remove('no_session');
  login.checks.add(new Check('no_session', 'End-User authentication is required', 'login_required', requireSignIn), 0);
  consent.checks.remove('native_client_prompt');
  consent.checks.add(
    new Check('always_asked', 'consent to this client is not remembered', 'interaction_required', async (ctx) =>
      !ctx.oidc.result?.consent && (await asksAlways(ctx)) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
    0,
  );
  return policy;
}

/**
 * The library has a session only within one of the console (`ArtifactAdapter.find`). Without either, or with one that
 * is too old for this request, the browser leaves before anything is stored: anybody can send such requests.
 */
function requireSignIn(ctx: KoaContextWithOIDC): boolean {
  const { Check } = library().interactionPolicy;
  const session = requestContext.getStore()?.session;
  if (!ctx.oidc.promptPending('none')) {
    if (!session) throw new SignInRequired(false);
    if (isTooOld(ctx, session)) throw new SignInRequired(true);
  }
  return ctx.oidc.session?.accountId === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
}

/** `prompt=login` and `max_age` ask for a sign-in that is newer than the one of the session. */
function isTooOld({ oidc }: KoaContextWithOIDC, { signedInAt }: Session): boolean {
  if (oidc.result?.login) return false;
  const age = Date.now() - signedInAt.getTime();
  const maxAge = Number(oidc.params?.max_age ?? Infinity) * 1_000;
  return (oidc.promptPending('login') && age > RECENT_MS) || age > Math.max(maxAge, JUST_NOW_MS);
}
