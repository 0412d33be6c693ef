import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { requestContext } from './request-context';
import { SignInRequired } from './sign-in-required';

const { Check } = interactionPolicy;

/** Whether consent to a client is asked for every time, even if it was given before. */
export type AsksAlways = (ctx: KoaContextWithOIDC) => Promise<boolean>;

/**
 * When the library interrupts an authorization request: its own rules, except that the session of the console decides
 * who is signed in, and that ours say which clients are asked about every time.
 */
export function interactionRules(asksAlways: AsksAlways): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
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
 * The library has a session only within one of the console (`ArtifactAdapter.find`). Without either, the browser leaves
 * before anything is stored: anybody can send such requests.
 */
function requireSignIn(ctx: KoaContextWithOIDC): boolean {
  if (ctx.oidc.session?.accountId !== undefined) return Check.NO_NEED_TO_PROMPT;
  if (!requestContext.getStore()?.session && !ctx.oidc.promptPending('none')) throw new SignInRequired();
  return Check.REQUEST_PROMPT;
}
