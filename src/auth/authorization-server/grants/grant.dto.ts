import { ApiProperty } from '@nestjs/swagger';
import { nameToShow } from '../client-name';
import type { ClientSource } from '../oauth-client.entity';
import { IdField, InstantField } from '../../../http/requests/fields';

export class GrantOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'https://vscode.dev/oauth/client-metadata.json', description: 'The `client_id`.' })
  client_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null for a client with a metadata document.' })
  client_name: string | null;

  @ApiProperty({ type: [String], description: 'What the client was allowed.' })
  scopes: string[];

  @InstantField()
  created_at: string;

  @InstantField({ description: 'When it ends unless the client uses it before.' })
  expires_at: string;
}

/** A row, with its payload opened. */
export interface GrantRow {
  id: string;
  client_id: string;
  client_name: string | null;
  client_source: ClientSource | null;
  digest: Buffer;
  payload: Buffer;
  created_at: Date;
  expires_at: Date;
}

/** @param payload of the library */
export function toGrant(row: GrantRow, payload: Record<string, unknown>): GrantOut {
  const { openid } = payload as { openid?: { scope?: string } };
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_source === 'REGISTRATION' ? nameToShow(row.client_name) : row.client_name,
    scopes: (openid?.scope ?? '').split(' ').filter((scope) => scope !== ''),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
