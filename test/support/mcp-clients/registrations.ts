import type { ClientMetadata } from 'openid-client';

export interface Registration {
  metadata: Partial<ClientMetadata> & { redirect_uris: string[]; client_name: string };
  /** Where the client asks to be answered. */
  redirectUri: string;
}

/** What MCP clients register (RFC 7591), in the shapes seen in the wild in 2026, and where they are answered. */
export const REGISTRATIONS: Record<string, Registration> = {
  'Claude Code': {
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost:3118/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUri: 'http://localhost:3118/callback',
  },
  Claude: {
    metadata: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'catalog:read claudeai',
    },
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  },
  'VS Code before 1.106': {
    metadata: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    // It registers this port, and may come with another one (vscode#278512).
    redirectUri: 'http://127.0.0.1:51724/',
  },
  'Cursor before 3.14': {
    metadata: {
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  Cursor: {
    metadata: {
      client_name: 'Cursor',
      redirect_uris: ['http://localhost:8787/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirectUri: 'http://localhost:8787/callback',
  },
  Codex: {
    metadata: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:49391/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUri: 'http://127.0.0.1:60111/callback',
  },
  OpenCode: {
    metadata: {
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirectUri: 'http://127.0.0.1:19876/mcp/oauth/callback',
  },
};

/** The metadata document of VS Code since 1.106, but for its address. */
export const VS_CODE_DOCUMENT = {
  client_name: 'Visual Studio Code',
  client_uri: 'https://code.visualstudio.com',
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
  redirect_uris: ['http://127.0.0.1/', 'http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
};
