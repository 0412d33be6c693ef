import { address, id, instant, oneOf, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { SAMPLE_BUNDLE } from '../../bundles/bundle.events';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { ENDPOINT_NAMINGS } from '../settings/endpoint-enums';

const endpoint = {
  bundle_id: id('The bundle.'),
  name: text('Its name.'),
  url: address('Where MCP clients connect.'),
  naming: oneOf(
    ENDPOINT_NAMINGS,
    'How tools are named. `PREFIX`: by the alias of the entry and the name at the server. `PLAIN`: as at the server.',
  ),
};

const entry = {
  bundle_id: id('The bundle.'),
  name: text('Its name.'),
  entry_id: id('The entry in it.'),
};

const sample = {
  bundle_id: SAMPLE_BUNDLE,
  name: 'Incident response',
  url: `https://tools.example.com/mcp/bundles/${SAMPLE_BUNDLE}`,
  naming: 'PREFIX' as const,
};

const sampleEntry = {
  bundle_id: SAMPLE_BUNDLE,
  name: 'Incident response',
  entry_id: '019a9f62-c6f3-7381-9be5-e04c8d5b6a72',
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

  'endpoint.upstream_down': event(
    'Server behind an MCP endpoint down',
    'The server of an entry has not answered for a minute. Its tools stay in the lists, and calls of them fail. At most once in five minutes for an entry.',
    shape(
      {
        ...entry,
        down_since: instant('When it failed to answer first.'),
        reason: text('What was wrong the last time, as a sentence.'),
        org_id: ORG_ID,
      },
      {
        ...sampleEntry,
        down_since: '2026-11-23T09:15:00.000Z',
        reason: 'It could not be reached (ECONNREFUSED).',
        org_id: SAMPLE.organisation,
      },
    ),
  ),

  'endpoint.upstream_recovered': event(
    'Server behind an MCP endpoint recovered',
    'The server of an entry that was reported as down answers again. At most once in five minutes for an entry.',
    shape({ ...entry, org_id: ORG_ID }, { ...sampleEntry, org_id: SAMPLE.organisation }),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof ENDPOINT_EVENTS> {}
}
