import { ApiProperty } from '@nestjs/swagger';

export class ProtectedResourceOut {
  @ApiProperty({ format: 'uri', example: 'https://tools.example.com' })
  resource: string;

  @ApiProperty()
  resource_name: string;

  @ApiProperty({ format: 'uri' })
  resource_documentation: string;

  @ApiProperty({ type: [String], description: 'Issuers whose access tokens are accepted.' })
  authorization_servers: string[];

  @ApiProperty({ type: [String], example: ['header'] })
  bearer_methods_supported: string[];

  @ApiProperty({ type: [String], example: ['catalog:read'], description: 'What access tokens can be limited to.' })
  scopes_supported: string[];
}

/** RFC 8414, and OpenID Connect Discovery 1.0. */
export class AuthorizationServerOut {
  @ApiProperty({ example: 'http://127.0.0.1:3000' })
  issuer: string;

  @ApiProperty({ format: 'uri' })
  authorization_endpoint: string;

  @ApiProperty({ format: 'uri' })
  token_endpoint: string;

  @ApiProperty({ format: 'uri' })
  pushed_authorization_request_endpoint: string;

  @ApiProperty({ format: 'uri' })
  device_authorization_endpoint: string;

  @ApiProperty({ format: 'uri' })
  introspection_endpoint: string;

  @ApiProperty({ format: 'uri' })
  revocation_endpoint: string;

  @ApiProperty({ format: 'uri' })
  userinfo_endpoint: string;

  @ApiProperty({ format: 'uri' })
  end_session_endpoint: string;

  @ApiProperty({ format: 'uri' })
  jwks_uri: string;

  @ApiProperty({ format: 'uri', required: false, description: 'Absent if clients cannot register themselves.' })
  registration_endpoint?: string;

  @ApiProperty({ format: 'uri' })
  service_documentation: string;

  @ApiProperty({ type: [String], example: ['catalog:read', 'offline_access'] })
  scopes_supported: string[];

  @ApiProperty({ type: [String], example: ['code'] })
  response_types_supported: string[];

  @ApiProperty({ type: [String] })
  response_modes_supported: string[];

  @ApiProperty({ type: [String] })
  grant_types_supported: string[];

  @ApiProperty({ type: [String] })
  subject_types_supported: string[];

  @ApiProperty({ type: [String] })
  claims_supported: string[];

  @ApiProperty({ type: [String] })
  claim_types_supported: string[];

  @ApiProperty({ type: [String] })
  id_token_signing_alg_values_supported: string[];

  @ApiProperty({ type: [String] })
  token_endpoint_auth_methods_supported: string[];

  @ApiProperty({ type: [String] })
  token_endpoint_auth_signing_alg_values_supported: string[];

  @ApiProperty({ type: [String], example: ['S256'] })
  code_challenge_methods_supported: string[];

  @ApiProperty()
  claims_parameter_supported: boolean;

  @ApiProperty()
  request_uri_parameter_supported: boolean;

  @ApiProperty()
  authorization_response_iss_parameter_supported: boolean;

  @ApiProperty()
  client_id_metadata_document_supported: boolean;

  @ApiProperty()
  backchannel_logout_supported: boolean;

  @ApiProperty()
  backchannel_logout_session_supported: boolean;
}

export class JwksOut {
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true }, description: 'JSON Web Keys.' })
  keys: Record<string, unknown>[];
}
