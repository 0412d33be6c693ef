import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../../http/requests/fields';
import { deviceName } from './device-name';
import type { Session } from './session';

const METHODS = {
  type: String,
  isArray: true,
  example: ['pwd'],
  description:
    'How you signed in (RFC 8176): `pwd`, `hwk` and `user` for a passkey, `otp` for a recovery code, `sso` at your company.',
};

/** The session of the request's cookie. */
export class SessionOut {
  @IdField()
  id: string;

  @IdField({ description: 'Your account.' })
  user_id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'alice@example.com' })
  email: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Alice' })
  name: string | null;

  @ApiProperty({ description: 'Whether you administer this instance.' })
  is_platform_admin: boolean;

  @ApiProperty(METHODS)
  methods: string[];

  @InstantField({ description: 'When you last proved who you are.' })
  signed_in_at: Date;

  @InstantField({
    description: 'When it ends, however much it is used. It also ends after 12 hours without a request.',
  })
  expires_at: Date;
}

/** A browser in which you are signed in. */
export class PersonSessionOut {
  @IdField()
  id: string;

  @ApiProperty({
    example: 'Firefox on Linux',
    description: 'The browser and its system, from `device`; for other clients what they call themselves.',
  })
  name: string;

  @ApiProperty({ example: 'Mozilla/5.0 (X11; Linux x86_64) …', description: 'The `User-Agent` of the sign-in.' })
  device: string;

  @ApiProperty({ example: '203.0.113.7', description: 'The network address of the sign-in.' })
  address: string;

  @ApiProperty(METHODS)
  methods: string[];

  @InstantField({ description: 'When you last proved who you are there.' })
  signed_in_at: Date;

  @InstantField({ description: 'The last request, to the minute.' })
  last_seen_at: Date;

  @InstantField({ description: 'When it ends at the latest.' })
  expires_at: Date;

  @ApiProperty({ description: 'Whether this request was made in it.' })
  is_current: boolean;
}

export type PersonSessionRow = Omit<PersonSessionOut, 'name' | 'is_current'>;

export function toSession(session: Session, isPlatformAdmin: boolean): SessionOut {
  const { id, userId, email, name, methods, signedInAt, expiresAt } = session;
  return {
    id,
    user_id: userId,
    email,
    name,
    is_platform_admin: isPlatformAdmin,
    methods,
    signed_in_at: signedInAt,
    expires_at: expiresAt,
  };
}

export function toPersonSession(row: PersonSessionRow, currentId: string | undefined): PersonSessionOut {
  const { id, device, address, methods, signed_in_at, last_seen_at, expires_at } = row;
  return {
    id,
    name: deviceName(device),
    device,
    address,
    methods,
    signed_in_at,
    last_seen_at,
    expires_at,
    is_current: id === currentId,
  };
}
