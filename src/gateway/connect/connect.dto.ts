import { EnumField, FormatField, IdField } from '../../http/requests/fields';

/** A page can connect credentials of these owners. */
export const CONNECT_OWNERS = ['PERSON', 'BUNDLE'] as const;
export type ConnectOwner = (typeof CONNECT_OWNERS)[number];

/** Which account is to be connected. */
export class ConnectCreate {
  @IdField({ description: 'The bundle of the entry.' })
  bundle_id: string;

  @IdField({ description: 'The entry whose server it is for.' })
  entry_id: string;

  @EnumField(CONNECT_OWNERS, {
    required: false,
    description: 'Who owns the credential: you (the default), or everyone who uses the bundle.',
  })
  owner?: ConnectOwner;
}

export class ConnectOut {
  @FormatField('uri', {
    description:
      'The page on which you connect it, in a browser in which you are signed in. Good for an hour, and for you only.',
  })
  url: string;
}
