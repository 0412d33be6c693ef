import { address, id, oneOf, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { SAMPLE_BUNDLE } from '../../bundles/bundle.events';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { ENDPOINT_NAMINGS } from './endpoint-naming';

const endpoint = {
  bundle_id: id('The bundle.'),
  name: text('Its name.'),
  url: address('Where MCP clients connect.'),
  naming: oneOf(
    ENDPOINT_NAMINGS,
    'How tools are named. `PREFIX`: by the alias of the entry and the name at the server. `PLAIN`: as at the server.',
  ),
};

const sample = {
  bundle_id: SAMPLE_BUNDLE,
  name: 'Incident response',
  url: `https://tools.example.com/mcp/bundles/${SAMPLE_BUNDLE}`,
  naming: 'PREFIX' as const,
};

export const ENDPOINT_EVENTS = defineEvents('MCP Endpoints', {
  'endpoint.enabled': event(
    'MCP endpoint enabled',
    'A bundle is served as an MCP endpoint from now on, and so are its deployments of kind ENDPOINT.',
    shape(
      { ...endpoint, enabled_by: id('The person who enabled it.'), org_id: ORG_ID },
      { ...sample, enabled_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
    ),
  ),

  'endpoint.disabled': event(
    'MCP endpoint disabled',
    'A bundle and its deployments of kind ENDPOINT are no longer served.',
    shape(
      { ...endpoint, disabled_by: id('The person who disabled it.'), org_id: ORG_ID },
      { ...sample, disabled_by: SAMPLE.administrator, org_id: SAMPLE.organisation },
    ),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof ENDPOINT_EVENTS> {}
}
