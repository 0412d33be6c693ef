import { ApiProperty } from '@nestjs/swagger';
import { CREDENTIAL_MODES, type CredentialMode } from '../../bundles/entries/credential-mode';
import { IdField } from '../../http/requests/fields';
import { CREDENTIAL_KINDS, CREDENTIAL_OWNERS, type CredentialKind, type CredentialOwnerKind } from './credential-kinds';
import { CREDENTIAL_STATES, type CredentialState } from './entry-credential';
import { CredentialValueOut } from './credential.dto';

/** A value that the server of an entry takes. */
export class NeededValueOut {
  @ApiProperty({ example: 'X-Api-Key', description: 'As its `server.json` calls it.' })
  name: string;

  @ApiProperty()
  is_required: boolean;

  @ApiProperty({ type: 'string', nullable: true })
  description: string | null;
}

/** A credential that is there for an entry. */
export class EntryCredentialOut {
  @IdField({ nullable: true, description: 'Null: others manage it.' })
  id: string | null;

  @ApiProperty({ enum: CREDENTIAL_OWNERS })
  owner: CredentialOwnerKind;

  @ApiProperty({ enum: CREDENTIAL_KINDS })
  kind: CredentialKind;

  @ApiProperty({ enum: CREDENTIAL_STATES })
  state: CredentialState;

  @ApiProperty({ example: 'https://mcp.example.com' })
  origin: string;

  @ApiProperty({ type: [CredentialValueOut] })
  values: CredentialValueOut[];
}

export class CredentialNeedOut {
  @IdField()
  entry_id: string;

  @ApiProperty({ example: 'weather' })
  key: string;

  @ApiProperty({ example: 'io.github.acme/weather' })
  listing_name: string;

  @ApiProperty({ enum: CREDENTIAL_MODES })
  credential_mode: CredentialMode;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'https://mcp.example.com',
    description:
      'Where credentials would be sent. Null: it has no server that could be reached, or it uses no credentials, has an `endpoint_url`, and you see the bundle only because it is public. `reason` says why.',
  })
  origin: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why there is no `origin`, for people.' })
  reason: string | null;

  @ApiProperty({
    enum: CREDENTIAL_STATES,
    nullable: true,
    description:
      'For you. `CONNECTED`: it can be used. `MISSING`: there is no credential, or it lacks values. `RECONNECT`: it is no longer accepted. `ORIGIN_CHANGED`: its server has moved, and nothing is sent until that is confirmed. Null: the entry uses none.',
  })
  state: CredentialState | null;

  @ApiProperty({
    enum: CREDENTIAL_KINDS,
    isArray: true,
    description: 'What would do, the more likely first. Empty: the entry uses none.',
  })
  kinds: CredentialKind[];

  @ApiProperty({ type: [NeededValueOut], description: 'What the `server.json` marks as secret.' })
  secrets: NeededValueOut[];

  @ApiProperty({
    type: [String],
    example: [],
    description:
      'Secrets that a package takes from its environment or as arguments. Of an entry with `endpoint_url`: they are set where its server runs, by those who run it, and cannot be given here. What can be given is sent to `origin` with each request: `Authorization`, and `secrets`.',
  })
  set_elsewhere: string[];

  @ApiProperty({ type: EntryCredentialOut, nullable: true, description: 'Yours.' })
  personal: EntryCredentialOut | null;

  @ApiProperty({
    type: EntryCredentialOut,
    nullable: true,
    description: 'The credential of the bundle or of its organisation, if you may use it.',
  })
  shared: EntryCredentialOut | null;
}
