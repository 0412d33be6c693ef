import { Injectable } from '@nestjs/common';
import { Issuer } from '../../auth/issuer';
import { ENDPOINT_SCOPE_NAMES } from '../../auth/scopes';
import type { ProtectedResourceOut } from '../../auth/well-known.dto';
import { Environment } from '../../config/environment';

/** Describes endpoints as protected resources (RFC 9728). */
@Injectable()
export class EndpointMetadata {
  constructor(
    private readonly environment: Environment,
    private readonly issuer: Issuer,
  ) {}

  /** @param path `bundles/{id}` or `deployments/{id}` */
  of(path: string): ProtectedResourceOut {
    const { publicUrl } = this.environment;
    return {
      resource: `${publicUrl}/mcp/${path.toLowerCase()}`,
      resource_name: 'Toolyard',
      resource_documentation: `${publicUrl}/docs`,
      authorization_servers: [this.issuer.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: [...ENDPOINT_SCOPE_NAMES],
    };
  }
}
