import { id, oneOf, orNull, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { SAMPLE_BUNDLE } from '../../bundles/bundle.events';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { CREDENTIAL_KINDS, CREDENTIAL_OWNERS } from './credential-kinds';

const credential = {
  credential_id: id('The credential.'),
  kind: oneOf(CREDENTIAL_KINDS, 'Secrets, tokens of OAuth, or a client of OAuth.'),
  owner: oneOf(CREDENTIAL_OWNERS, 'Whether it is of a person, a bundle or an organisation.'),
  person_id: orNull(id('The person whose it is; null: it is shared.')),
  bundle_id: orNull(id('The bundle of the entry; null: it is for a listing.')),
  entry_id: orNull(id('The entry that it is for; null: it is for a listing.')),
  listing_id: orNull(id('The listing that it is for; null: it is for an entry.')),
  origin: text('The scheme, host and port that it was given for.'),
};

const sample = {
  credential_id: '019a9f62-d21f-7b0c-9a54-2f1c60a8e9b3',
  kind: 'SECRETS' as const,
  owner: 'BUNDLE' as const,
  person_id: null,
  bundle_id: SAMPLE_BUNDLE,
  entry_id: '019a9f62-c6f3-7381-9be5-e04c8d5b6a72',
  listing_id: null,
  origin: 'https://mcp.example.com',
};

export const CREDENTIAL_EVENTS = defineEvents('Credentials', {
  'credential.connected': event(
    'Credential connected',
    'A credential was given, or replaced. It is never part of an event.',
    shape(
      { ...credential, connected_by: id('The person who gave it.'), org_id: ORG_ID },
      { ...sample, connected_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
    ),
  ),

  'credential.reconnect_needed': event(
    'Credential has to be connected again',
    'Its issuer has refused to renew it. It is not used until it is given again.',
    shape({ ...credential, org_id: ORG_ID }, { ...sample, kind: 'OAUTH', org_id: SAMPLE.organisation }),
  ),

  'credential.origin_changed': event(
    'Server of a credential moved',
    'The entry or listing points to another origin than the one that the credential was given for, so nothing is sent there until someone who may change it confirms. Once for each origin.',
    shape(
      { ...credential, new_origin: text('Where it points now.'), org_id: ORG_ID },
      { ...sample, new_origin: 'https://mcp.example.net', org_id: SAMPLE.organisation },
    ),
  ),

  'credential.revoked': event(
    'Credential deleted',
    'A credential was deleted, and is not used any more.',
    shape(
      {
        ...credential,
        revoked_by: orNull(id('The person who deleted it; null: its owner may not use the bundle any more.')),
        org_id: ORG_ID,
      },
      { ...sample, revoked_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
    ),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof CREDENTIAL_EVENTS> {}
}
