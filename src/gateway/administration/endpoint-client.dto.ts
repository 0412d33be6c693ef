import { ApiProperty } from '@nestjs/swagger';
import { EDITORS } from '../../bundles/export/export-client';
import { InstallWaysOut } from '../../bundles/install/install.dto';
import { EnumField, IdField } from '../../http/requests/fields';

/** Programs that can use the endpoint of a bundle. */
export const ENDPOINT_CLIENTS = [...EDITORS, 'curl'] as const;
export type EndpointClient = (typeof ENDPOINT_CLIENTS)[number];

/** How a client proves who it acts for: it finds out where its person signs in, or it has an access token. */
export const CLIENT_AUTHENTICATIONS = ['oauth', 'token'] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

export const CONNECTION_PROBLEMS = ['endpoint_off', 'not_local'] as const;
export type ConnectionProblem = (typeof CONNECTION_PROBLEMS)[number];

export class BundleConnectQuery {
  @EnumField(ENDPOINT_CLIENTS, { description: 'The program that shall use the bundle.' })
  client: EndpointClient;

  @EnumField(CLIENT_AUTHENTICATIONS, {
    required: false,
    description:
      'Default: `oauth`, and `token` for `curl`, which has nothing else. An access token of the bundle suits clients that cannot sign in.',
  })
  authentication?: ClientAuthentication;
}

class ConnectionProblemOut {
  @ApiProperty({
    enum: CONNECTION_PROBLEMS,
    description:
      '`endpoint_off`: the endpoint of the bundle is disabled. `not_local`: the configuration of this client has local servers only; see `notes`.',
  })
  reason: ConnectionProblem;

  @ApiProperty({ description: 'For a person; its wording may change.' })
  detail: string;
}

export class BundleConnectOut extends InstallWaysOut {
  @ApiProperty({ enum: ENDPOINT_CLIENTS })
  client: EndpointClient;

  @IdField()
  bundle_id: string;

  @ApiProperty({ example: 'incident-response', description: 'The name of the endpoint in the client.' })
  key: string;

  @ApiProperty({ type: ConnectionProblemOut, nullable: true, description: 'Why it is not possible.' })
  problem: ConnectionProblemOut | null;

  @ApiProperty({
    format: 'uri',
    example: 'https://tools.example.com/mcp/bundles/019a9f62-8a0e-7d42-86b1-1e7d4fa3c958',
    description: 'Where the client connects, by Streamable HTTP.',
  })
  endpoint_url: string;

  @ApiProperty({ enum: CLIENT_AUTHENTICATIONS })
  authentication: ClientAuthentication;
}
