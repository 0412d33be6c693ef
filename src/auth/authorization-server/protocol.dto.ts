import { ApiProperty } from '@nestjs/swagger';
import { APPLICATION_TYPES, CLIENT_AUTH_METHODS } from './client-rules';

/** An error of the protocol (RFC 6749, section 5.2). */
export class ProtocolErrorOut {
  @ApiProperty({ example: 'invalid_request' })
  error: string;

  @ApiProperty({ required: false, description: 'For developers.' })
  error_description?: string;
}

/** RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3. */
export class TokensOut {
  @ApiProperty({ description: 'A JWT (RFC 9068).' })
  access_token: string;

  @ApiProperty({ enum: ['Bearer'] })
  token_type: string;

  @ApiProperty({ type: 'integer', description: 'Seconds.' })
  expires_in: number;

  @ApiProperty({ required: false, example: 'catalog:read', description: 'What the token is limited to.' })
  scope?: string;

  @ApiProperty({ required: false, description: 'Replaces the one that was used.' })
  refresh_token?: string;

  @ApiProperty({ required: false, description: 'With the scope `openid`.' })
  id_token?: string;
}

/** RFC 9126, section 2.2. */
export class PushedRequestOut {
  @ApiProperty({ example: 'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c' })
  request_uri: string;

  @ApiProperty({ type: 'integer', description: 'Seconds.' })
  expires_in: number;
}

/** RFC 7662, section 2.2. */
export class IntrospectionOut {
  @ApiProperty({ description: 'Whether the token counts now. If not, there is nothing else.' })
  active: boolean;

  @ApiProperty({ required: false })
  client_id?: string;

  @ApiProperty({ required: false, description: 'The id of the account, or of a client that acts for itself.' })
  sub?: string;

  @ApiProperty({ required: false, example: 'catalog:read' })
  scope?: string;

  @ApiProperty({ required: false, description: 'What the token is for.' })
  aud?: string;

  @ApiProperty({ required: false, format: 'uri' })
  iss?: string;

  @ApiProperty({ required: false, type: 'integer', description: 'Seconds since the epoch.' })
  iat?: number;

  @ApiProperty({ required: false, type: 'integer', description: 'Seconds since the epoch.' })
  exp?: number;

  @ApiProperty({ required: false })
  jti?: string;

  @ApiProperty({ required: false, description: 'The grant; of a token that a person has allowed.' })
  gid?: string;

  @ApiProperty({ required: false, example: 'Bearer', description: 'Absent for a refresh token.' })
  token_type?: string;
}

/** RFC 8628, section 3.2. */
export class DeviceAuthorizationOut {
  @ApiProperty()
  device_code: string;

  @ApiProperty({ example: 'WDJB-MJHT', description: 'For the person to enter.' })
  user_code: string;

  @ApiProperty({ format: 'uri', example: 'https://tools.example.com/device' })
  verification_uri: string;

  @ApiProperty({ format: 'uri', description: 'The same, with the code.' })
  verification_uri_complete: string;

  @ApiProperty({ type: 'integer', description: 'Seconds.' })
  expires_in: number;

  @ApiProperty({ type: 'integer', required: false, description: 'How long to wait between requests; seconds.' })
  interval?: number;
}

/** RFC 7591, section 2. Further metadata of OpenID Connect are accepted, too. */
export class ClientRegistration {
  @ApiProperty({
    type: [String],
    maxItems: 10,
    required: false,
    example: ['http://127.0.0.1/callback'],
    description:
      'With https, or a scheme of the program; with http for loopback addresses only, whose port does not count.',
  })
  redirect_uris?: string[];

  @ApiProperty({ required: false, maxLength: 200, example: 'My editor' })
  client_name?: string;

  @ApiProperty({
    required: false,
    enum: APPLICATION_TYPES,
    description: 'Default: `native` with a redirect to this computer, else `web`.',
  })
  application_type?: string;

  @ApiProperty({
    type: [String],
    required: false,
    example: ['authorization_code', 'refresh_token'],
    description: 'Also `urn:ietf:params:oauth:grant-type:device_code`; others are left out.',
  })
  grant_types?: string[];

  @ApiProperty({
    required: false,
    enum: CLIENT_AUTH_METHODS,
    description: 'Default: `client_secret_basic`.',
  })
  token_endpoint_auth_method?: string;

  @ApiProperty({ required: false, format: 'uri', description: 'Its keys, for `private_key_jwt`.' })
  jwks_uri?: string;

  @ApiProperty({ type: [String], required: false })
  post_logout_redirect_uris?: string[];

  @ApiProperty({ required: false, format: 'uri', description: 'Is notified when a person signs out.' })
  backchannel_logout_uri?: string;
}

/** RFC 7591, section 3.2.1. */
export class ClientRegisteredOut extends ClientRegistration {
  @ApiProperty({ format: 'uuid' })
  client_id: string;

  @ApiProperty({ type: 'integer', description: 'Seconds since the epoch.' })
  client_id_issued_at: number;

  @ApiProperty({ required: false, description: 'Shown only here.' })
  client_secret?: string;

  @ApiProperty({ type: 'integer', required: false, description: 'Always 0: it does not expire.' })
  client_secret_expires_at?: number;
}

/** OpenID Connect Core 1.0, section 5.3.2. */
export class UserInfoOut {
  @ApiProperty({ description: 'The id of the account.' })
  sub: string;

  @ApiProperty({ required: false, description: 'With the scope `email`.' })
  email?: string;

  @ApiProperty({ required: false, description: 'With the scope `email`; always true.' })
  email_verified?: boolean;

  @ApiProperty({ required: false, description: 'With the scope `profile`.' })
  name?: string;
}
