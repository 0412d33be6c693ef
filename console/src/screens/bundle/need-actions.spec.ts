import type { CredentialNeed, EntryCredential } from '../../api/schema';
import { actionsOf, askedSecrets, ownersOf, stateOf } from './need-actions';

const credential = (parts: Partial<EntryCredential>): EntryCredential => ({
  id: 'c',
  owner: 'PERSON',
  kind: 'OAUTH',
  state: 'CONNECTED',
  origin: 'https://a.example',
  values: [],
  ...parts,
});

const need = (parts: Partial<CredentialNeed>): CredentialNeed => ({
  entry_id: 'e',
  key: 'weather',
  listing_name: 'io.github.acme/weather',
  credential_mode: 'PERSONAL_OR_SHARED',
  origin: 'https://a.example',
  reason: null,
  state: 'MISSING',
  kinds: ['OAUTH', 'OAUTH_CLIENT', 'SECRETS'],
  secrets: [],
  set_elsewhere: [],
  personal: null,
  shared: null,
  ...parts,
});

describe('What a person can do about an account', () => {
  it('is to connect it or give a secret, in the order of the API', () => {
    expect(actionsOf(need({}), 'PERSON', false)).toEqual(['connect', 'give']);
    expect(actionsOf(need({ kinds: ['SECRETS'] }), 'PERSON', false)).toEqual(['give']);
  });

  it('is nothing where no server could be reached', () => {
    expect(actionsOf(need({ origin: null }), 'PERSON', true)).toEqual([]);
  });

  it('is nothing about a shared one, unless they may change the bundle', () => {
    expect(actionsOf(need({}), 'BUNDLE', false)).toEqual([]);
    expect(actionsOf(need({}), 'BUNDLE', true)).toEqual(['connect', 'give']);
  });

  it('is nothing about one of an organisation, and one that others manage', () => {
    expect(actionsOf(need({ shared: credential({ owner: 'ORGANISATION' }) }), 'BUNDLE', true)).toEqual([]);
    expect(actionsOf(need({ shared: credential({ owner: 'BUNDLE', id: null }) }), 'BUNDLE', true)).toEqual([]);
  });

  it('is to confirm that secrets go to the new origin, but to connect tokens again', () => {
    const moved = { state: 'ORIGIN_CHANGED' } as const;
    expect(actionsOf(need({ personal: credential({ ...moved, kind: 'SECRETS' }) }), 'PERSON', false)).toEqual([
      'confirm-move',
      'disconnect',
    ]);
    expect(actionsOf(need({ personal: credential(moved) }), 'PERSON', false)).toEqual(['connect-again', 'disconnect']);
  });

  it('is to connect again what is no longer accepted, and to disconnect what works', () => {
    expect(actionsOf(need({ personal: credential({ state: 'RECONNECT' }) }), 'PERSON', false)).toEqual([
      'connect-again',
      'disconnect',
    ]);
    expect(actionsOf(need({ personal: credential({}) }), 'PERSON', false)).toEqual(['disconnect']);
    expect(actionsOf(need({ personal: credential({ kind: 'SECRETS' }) }), 'PERSON', false)).toEqual([
      'change',
      'disconnect',
    ]);
  });
});

describe('The accounts of an entry', () => {
  it('are those of its mode', () => {
    expect(ownersOf(need({ credential_mode: 'NONE' }))).toEqual([]);
    expect(ownersOf(need({ credential_mode: 'SHARED' }))).toEqual(['BUNDLE']);
    expect(ownersOf(need({ credential_mode: 'PERSONAL_OR_SHARED' }))).toEqual(['PERSON', 'BUNDLE']);
  });

  it('are missing until there is one', () => {
    expect(stateOf(need({}), 'PERSON')).toBe('MISSING');
    expect(stateOf(need({ shared: credential({ owner: 'BUNDLE' }) }), 'BUNDLE')).toBe('CONNECTED');
  });
});

describe('The form for secrets', () => {
  it('asks for the header of a server that names no secret', () => {
    expect(askedSecrets(need({}), 'PERSON')).toEqual([
      { name: 'Authorization', description: null, isRequired: true, isSet: false },
    ]);
  });

  it('does not require what has a value', () => {
    const secrets = [{ name: 'X-Api-Key', is_required: true, description: 'The key' }];
    const personal = credential({
      kind: 'SECRETS',
      values: [{ name: 'X-Api-Key', is_set: true, updated_at: '2026-01-01T00:00:00Z' }],
    });
    expect(askedSecrets(need({ secrets, personal }), 'PERSON')).toEqual([
      { name: 'X-Api-Key', description: 'The key', isRequired: false, isSet: true },
    ]);
  });
});
