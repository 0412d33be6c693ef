import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, JsonField, NameField, TextField } from '../../http/requests/fields';
import type { Fault } from '../../errors/errors';
import type { Passkey } from './passkey.entity';
import { isObject } from '../../http/requests/json-object';

/** The rule for answers of authenticators, as the document names it. */
export const ANSWER_CHECK = 'webauthn-response';
const MAX_ID_LENGTH = 1_400;
/** An attestation with a certificate chain has a few KiB. */
const MAX_PART_LENGTH = 65_536;
const MAX_TRANSPORTS = 10;

export class PasskeyCreate {
  @NameField({ example: 'Laptop', description: 'What you call it.' })
  name: string;

  @JsonField({
    check: ANSWER_CHECK,
    description: 'The `RegistrationResponseJSON` of `navigator.credentials.create` (WebAuthn level 3, section 5.1).',
  })
  response: Record<string, unknown>;
}

export class PasskeyAnswer {
  @JsonField({
    check: ANSWER_CHECK,
    description: 'The `AuthenticationResponseJSON` of `navigator.credentials.get` (WebAuthn level 3, section 5.1).',
  })
  response: Record<string, unknown>;

  @TextField({ required: false, max: 2_000, description: 'Where to go on: a path of ours; by default `/`.' })
  return_to?: string;
}

/** Where the browser goes on. */
export class SignedInOut {
  @ApiProperty({ example: '/account' })
  location: string;
}

export class PasskeyOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Laptop' })
  name: string;

  @ApiProperty({ description: 'Whether it is synchronised to your other devices.' })
  is_backed_up: boolean;

  @InstantField({ nullable: true, description: 'Null: never used.' })
  last_used_at: string | null;

  @InstantField()
  created_at: string;
}

/** A new passkey; with the first one come the recovery codes. */
export class PasskeyCreatedOut extends PasskeyOut {
  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['7K3M-9QRT-0XYZ-4B2C'],
    description:
      'With your first passkey: ten codes, each of which signs you in once if you lose your passkeys. Shown only this once.',
  })
  recovery_codes: string[] | null;
}

export class RecoveryCodesOut {
  @ApiProperty({
    type: [String],
    example: ['7K3M-9QRT-0XYZ-4B2C'],
    description: 'Ten codes, shown only this once. Former ones no longer work.',
  })
  recovery_codes: string[];
}

/** Options that a browser passes to `navigator.credentials`, as JSON. */
export class PasskeyOptionsOut {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: '`PublicKeyCredentialCreationOptionsJSON` (WebAuthn level 3, section 5.1).',
  })
  public_key: Record<string, unknown>;
}

export function toPasskey({ id, name, isBackedUp, lastUsedAt, createdAt }: Passkey): PasskeyOut {
  return {
    id,
    name,
    is_backed_up: isBackedUp,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

/** The shape that the library relies on; whether the content is right, it checks itself. */
export function answerFaults(answer: Readonly<Record<string, unknown>>): Fault[] {
  const { id, rawId, type, response, clientExtensionResults = {} } = answer;
  const isAnswer =
    isText(id, MAX_ID_LENGTH) &&
    rawId === id &&
    type === 'public-key' &&
    isObject(clientExtensionResults) &&
    isObject(response) &&
    Object.entries(response).every(([name, value]) => isPart(name, value));
  return isAnswer ? [] : [{ loc: [], msg: 'Is not the answer of an authenticator.', type: 'value_error' }];
}

function isPart(name: string, value: unknown): boolean {
  if (name === 'transports')
    return Array.isArray(value) && value.length <= MAX_TRANSPORTS && value.every((hint) => isText(hint, 20));
  if (name === 'publicKeyAlgorithm') return typeof value === 'number';
  return value === null || isText(value, MAX_PART_LENGTH);
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest && /^[\w=-]*$/.test(value);
}
