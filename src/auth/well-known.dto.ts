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

export class AuthorizationServerOut {
  @ApiProperty({ example: 'http://127.0.0.1:3000' })
  issuer: string;

  @ApiProperty({ format: 'uri' })
  jwks_uri: string;

  @ApiProperty({ type: [String], description: 'Empty: the operator creates tokens with `npm run token`.' })
  response_types_supported: string[];

  @ApiProperty({ type: [String] })
  grant_types_supported: string[];
}

export class JwksOut {
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true }, description: 'JSON Web Keys.' })
  keys: Record<string, unknown>[];
}
