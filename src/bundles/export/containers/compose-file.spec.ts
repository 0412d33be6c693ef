import { parse } from 'yaml';
import {
  BUNDLE,
  compose,
  DIGEST,
  IMAGES,
  interpolated,
  OPTIONS,
  question,
  server,
  textOf,
} from '../../../../test/support/containers';
import type { Question, Template } from '../../launch/template';
import { composeFile } from './compose-file';
import type { ContainerServer } from './container';

describe('The file for Compose', () => {
  it('has a service for each server, locked down', () => {
    const env: Record<string, Template> = { REGION: ['eu'], API_KEY: [question('API_KEY')] };
    const file = compose([server({ env, unasked: [question('MAY', { isRequired: false })] })]);
    expect(file).toEqual({
      name: `toolyard-${BUNDLE}`,
      services: {
        'mcp-weather': {
          image: IMAGES.npm,
          entrypoint: ['supergateway'],
          command: [
            '--stdio',
            'exec npx -y weather@1.0.0',
            '--outputTransport',
            'streamableHttp',
            '--stateful',
            '--sessionTimeout',
            '600000',
            '--port',
            '8000',
            '--streamableHttpPath',
            '/mcp',
            '--healthEndpoint',
            '/healthz',
            '--logLevel',
            'none',
          ],
          environment: {
            REGION: 'eu',
            API_KEY: '${WEATHER__API_KEY:?a value for WEATHER__API_KEY}',
            HOME: '/tmp',
            npm_config_cache: '/tmp/.npm',
            npm_config_update_notifier: 'false',
          },
          env_file: [{ path: 'mcp-weather.env', required: false }],
          user: '1000:1000',
          working_dir: '/tmp',
          read_only: true,
          tmpfs: ['/tmp:rw,exec,nosuid,nodev,mode=1777,size=256m'],
          security_opt: ['no-new-privileges:true'],
          cap_drop: ['ALL'],
          mem_limit: '512m',
          memswap_limit: '512m',
          cpus: 1,
          pids_limit: 256,
          init: true,
          restart: 'unless-stopped',
          stop_grace_period: '10s',
          healthcheck: {
            test: ['CMD', 'node', '-e', expect.stringContaining('http://127.0.0.1:8000/healthz')],
            interval: '30s',
            timeout: '5s',
            retries: 3,
            start_period: '30s',
          },
          networks: ['mcp-weather'],
          ports: [expect.stringMatching(/^127\.0\.0\.1:\$\{TOOLYARD_PORT_WEATHER:-2\d{4}\}:8000$/)],
        },
      },
      networks: { 'mcp-weather': {} },
    });
  });

  it('is the configuration of the report, in YAML with a comment', () => {
    const servers = [server(), server({ key: 'other', registry: 'pypi', words: [['uvx'], ['other==1']] })];
    const files = composeFile(servers, OPTIONS);
    const text = textOf(files);
    expect(parse(text)).toEqual(files.configuration);
    expect(text.startsWith('# Exported by Toolyard.\n')).toBe(true);
    for (const note of files.notes) expect(text.replaceAll('\n# ', ' ')).toContain(note);
    expect(parse(textOf(composeFile([], OPTIONS)))).toMatchObject({ name: `toolyard-${BUNDLE}`, services: {} });
  });

  it('asks for the digest of the bridge where the operator has not set its image', () => {
    const options = { ...OPTIONS, images: {} };
    const { services } = compose(
      [server(), server({ key: 'py', registry: 'pypi', words: [['uvx'], ['py==1']] })],
      options,
    );
    const images = Object.values(services).map(({ image }) => image);
    expect(images).toEqual([
      expect.stringMatching(/^docker\.io\/supercorp\/supergateway@\$\{SUPERGATEWAY_DIGEST:\?[^}]+\}$/),
      expect.stringMatching(/^docker\.io\/supercorp\/supergateway@\$\{SUPERGATEWAY_UVX_DIGEST:\?[^}]+\}$/),
    ]);
    expect(interpolated(images[0] as string, { SUPERGATEWAY_DIGEST: DIGEST })).toBe(
      `docker.io/supercorp/supergateway@${DIGEST}`,
    );
    expect(() => interpolated(images[0] as string, {})).toThrow('SUPERGATEWAY_DIGEST is missing');
  });

  it('publishes each server on a port of its own, which stays when others come and go', () => {
    const servers = Array.from({ length: 500 }, (_, index) => server({ key: `server-${index}` }));
    const all = composeFile(servers, OPTIONS).endpointUrls;
    expect(new Set(all.values()).size).toBe(500);
    const few = composeFile(servers.slice(0, 20).reverse(), OPTIONS).endpointUrls;
    const moved = [...few].filter(([entry, url]) => all.get(entry) !== url);
    // Two entries of 500 may want the same port.
    expect(moved.length).toBeLessThan(3);
    const { services } = compose(servers.slice(0, 20));
    for (const [index, service] of Object.values(services).entries()) {
      const [port] = service.ports as [string];
      const url = few.get((servers[index] as ContainerServer).entryId);
      expect(interpolated(port, {})).toBe(
        `127.0.0.1:${url?.slice('http://127.0.0.1:'.length, -'/mcp'.length) ?? ''}:8000`,
      );
    }
  });

  it('says that values in files need single quotes, without which Compose replaces variables in them', () => {
    const notesOf = (unasked: Question[]) => composeFile([server({ unasked })], OPTIONS).notes.join('\n');
    const [required, optional] = [notesOf([]), notesOf([question('MAY', { isRequired: false })])];
    expect(required).toContain(".env beside this one: NAME='value'");
    expect(optional).toContain("<service>.env beside this one, if it is there: NAME='value'");
    for (const notes of [required, optional]) {
      expect(notes).toContain('Without the single quotes Compose replaces variables');
      expect(notes).not.toContain('NAME=value');
    }
  });

  it('takes another runtime', () => {
    expect(compose([server()], { ...OPTIONS, runtimeClass: 'runsc' }).services['mcp-weather']?.runtime).toBe('runsc');
  });
});
