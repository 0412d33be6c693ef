import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Issuer } from '../../auth/issuer';
import { BundleFinder } from '../../bundles/bundle-finder';
import type { BundleRow } from '../../bundles/bundle.dto';
import { reservedKeys } from '../../bundles/export/client-formats';
import type { Editor } from '../../bundles/export/export-client';
import { clientInstall } from '../../bundles/install/client-install';
import { CONNECTOR_NOTES } from '../../bundles/install/connector-notes';
import { type InstallInputOut, type InstallWaysOut, toInstallInputs } from '../../bundles/install/install.dto';
import type { Launch } from '../../bundles/launch/launch';
import type { Question } from '../../bundles/launch/template';
import { Environment } from '../../config/environment';
import { ValidationError } from '../../errors/errors';
import { readSettings } from '../settings/endpoint-settings';
import { curlCommand, TOKEN_VARIABLE } from './curl-command';
import {
  type BundleConnectOut,
  type BundleConnectQuery,
  type ClientAuthentication,
  type ConnectionProblem,
} from './endpoint-client.dto';

/** Clients put it before the names of tools, of which models take 64 characters in all. */
const MAX_KEY_LENGTH = 32;

const NOTHING: InstallWaysOut = { is_possible: false, link: null, command: null, file: null, inputs: [], notes: [] };

const TOKEN: Question = {
  name: 'TOKEN',
  description: 'An access token of the bundle, with the scopes read and call.',
  isSecret: true,
  isRequired: true,
  choices: [],
};

const TOKEN_NOTE =
  'Editors of the bundle create its access tokens. A client with a token uses the bundle as the person who created it.';

/** Writes how the endpoint of a bundle gets into a client, by the generator of the export of bundles. */
@Injectable()
export class EndpointClients {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly environment: Environment,
    private readonly issuer: Issuer,
  ) {}

  /**
   * The endpoint, not the servers behind it one by one. Two statements.
   *
   * @throws NotFoundError; ValidationError for `curl` with `oauth`
   */
  async get(caller: Caller, bundleId: string, query: BundleConnectQuery): Promise<BundleConnectOut> {
    const { client, authentication = client === 'curl' ? 'token' : 'oauth' } = query;
    if (client === 'curl' && authentication === 'oauth') {
      const msg = 'curl does not sign in; leave this out.';
      throw new ValidationError([{ loc: ['query', 'authentication'], msg, type: 'value_error' }]);
    }
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    const { is_enabled: isEnabled } = await readSettings(manager, bundle.id);
    const endpointUrl = `${this.environment.publicUrl}/mcp/bundles/${bundle.id}`;
    const key = keyOf(client === 'curl' ? [] : reservedKeys(client), bundle);
    const common = { client, bundle_id: bundle.id, key, endpoint_url: endpointUrl, authentication };
    const problem = problemOf(client, isEnabled);
    if (problem) {
      const notes = problem.reason === 'not_local' ? [...CONNECTOR_NOTES] : [];
      return { ...common, ...NOTHING, problem, notes };
    }
    const ways = client === 'curl' ? curlWays(endpointUrl) : this.waysOf(client, key, endpointUrl, authentication);
    return { ...common, ...ways, problem: null };
  }

  private waysOf(client: Editor, key: string, url: string, authentication: ClientAuthentication): InstallWaysOut {
    const headers = new Map(authentication === 'token' ? [['Authorization', ['Bearer ', TOKEN]]] : []);
    const server = { kind: 'remote', type: 'http', url: [url], headers } as const;
    const launch: Launch = { server, unasked: [], ignored: [] };
    const { link, command, file, inputs, notes } = clientInstall(client, key, launch);
    return {
      is_possible: true,
      link,
      command,
      file,
      inputs: toInstallInputs(inputs),
      notes: [...(authentication === 'token' ? [TOKEN_NOTE] : this.signInNotes(client)), ...notes],
    };
  }

  /** The endpoint names its authorization server, so the client finds all that it needs. */
  private signInNotes(client: Editor): string[] {
    const { externalIssuer, oauthRegistration } = this.environment;
    return [
      `The client opens a browser, in which you sign in at ${this.issuer.issuer}.`,
      ...(client === 'claude-code' ? ['In Claude Code, sign in by /mcp.'] : []),
      ...(externalIssuer === undefined && oauthRegistration !== 'open'
        ? [
            'Clients do not register themselves here (OAUTH_REGISTRATION). One that has no client metadata document needs an access token of the bundle: authentication=token.',
          ]
        : []),
    ];
  }
}

function keyOf(reserved: readonly string[], { slug }: BundleRow): string {
  const key = slug.slice(0, MAX_KEY_LENGTH).replace(/-+$/, '');
  return reserved.includes(key) ? `${key}-bundle` : key;
}

function problemOf(
  client: BundleConnectQuery['client'],
  isEnabled: boolean,
): { reason: ConnectionProblem; detail: string } | undefined {
  if (!isEnabled) {
    const detail = 'The endpoint of this bundle is disabled. Its editors can enable it.';
    return { reason: 'endpoint_off', detail };
  }
  if (client !== 'claude-desktop') return undefined;
  const detail = 'Claude Desktop does not read remote servers from its configuration; add this one in its settings.';
  return { reason: 'not_local', detail };
}

function curlWays(url: string): InstallWaysOut {
  const token: InstallInputOut = {
    name: TOKEN.name,
    description: TOKEN.description ?? null,
    is_secret: true,
    is_required: true,
    placeholder: TOKEN_VARIABLE,
    default: null,
    choices: null,
  };
  const notes = [TOKEN_NOTE, 'The command lists the tools. It is quoted for POSIX shells such as bash and zsh.'];
  return { ...NOTHING, is_possible: true, command: curlCommand(url), inputs: [token], notes };
}
