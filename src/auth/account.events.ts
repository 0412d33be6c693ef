import { constant, id, instant, known, listOf, orNull, shape, text } from '../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../events/event-types';
import { SCOPE_NAMES } from './scopes';

/** In the data of every event of this file, as of every event. */
export const NO_ORG = constant(null, 'Always null: nobody but an account, or the platform, is concerned.');

/** What all events about accounts say of who receives them. */
const RECEIVERS = 'Sent to personal endpoints only: those of the account itself and those of platform administrators.';

const SAMPLE_ACCOUNT = '019a9f60-02d4-7c0a-8f27-5b1f7e6c9d31';
const SAMPLE_IDENTITY = '019a9f61-3f0e-7b51-9c64-2f1d8e7ab043';
const SAMPLE_TOKEN = '019a9f62-4a1f-7c62-8d75-3e2c9f8bc154';

const account = { org_id: NO_ORG, user_id: id('The account.') };
const sample = { org_id: null, user_id: SAMPLE_ACCOUNT };

const token = {
  ...account,
  access_token_id: id('The personal access token; never the token itself.'),
  scopes: listOf(known(SCOPE_NAMES, 'A scope.'), 'What it was limited to.'),
  expires_at: instant('When it expires, or would have.'),
};
const sampleToken = {
  ...sample,
  access_token_id: SAMPLE_TOKEN,
  scopes: ['catalog:read' as const],
  expires_at: '2027-02-18T08:30:00.000Z',
};

export const ACCOUNT_EVENTS = defineEvents('Accounts', {
  'session.started': event(
    'Signed in',
    `A person signed in in a browser. ${RECEIVERS}`,
    shape(
      {
        ...account,
        methods: listOf(text('A method of RFC 8176, such as `pwd`, or `sso`.'), 'How the person proved who they are.'),
        issuer: orNull(text('The identity provider at which they did; null if it was here.')),
      },
      { ...sample, methods: ['pwd'], issuer: null },
    ),
  ),

  'account.closed': event(
    'Account closed',
    `An account was closed or deleted: nobody can sign in or call with it. ${RECEIVERS}`,
    shape(
      {
        ...account,
        reason: known(
          ['closed', 'deleted'],
          'Why. `closed`: a platform administrator closed it, and can open it again. `deleted`: it was deleted, by its owner or an administrator.',
        ),
      },
      { ...sample, reason: 'closed' },
    ),
  ),

  'account.reopened': event(
    'Account reopened',
    `A platform administrator opened a closed account again. ${RECEIVERS}`,
    shape(account, sample),
  ),

  'identity.linked': event(
    'Identity linked',
    `An identity at an identity provider opens an account from now on. ${RECEIVERS}`,
    shape(
      {
        ...account,
        identity_id: id('The identity.'),
        issuer: text('The identity provider.'),
        reason: known(
          ['signed_up', 'claimed', 'linked'],
          'Why. `signed_up`: the account was created for it. `claimed`: provisioning had created the account for its address. `linked`: the person asked for it on the account page.',
        ),
      },
      { ...sample, identity_id: SAMPLE_IDENTITY, issuer: 'https://login.example.com', reason: 'linked' },
    ),
  ),

  'access_token.created': event(
    'Personal access token created',
    `A person created a personal access token. ${RECEIVERS}`,
    shape(token, sampleToken),
  ),

  'access_token.revoked': event(
    'Personal access token revoked',
    `A personal access token was revoked. One that expires is not reported. ${RECEIVERS}`,
    shape(
      {
        ...token,
        reason: known(
          ['revoked', 'signed_out'],
          'Why. `revoked`: the person revoked it. `signed_out`: everything that gave access to the account was ended at once.',
        ),
      },
      { ...sampleToken, reason: 'revoked' },
    ),
  ),
});

declare module '../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof ACCOUNT_EVENTS> {}
}
