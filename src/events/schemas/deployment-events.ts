import type { EventType } from '../event-catalogue';
import { address, changed, count, type EventShape, id, known, ORG_ID, orNull, shape, text } from '../event-shape';
import { SAMPLE } from './sample-ids';

/** Those of the bundles room, which events may not import; the compiler compares them at `record()`. */
const DEPLOYMENT_STATUSES = ['PENDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'STOPPED'] as const;

const deployment = {
  deployment_id: id('The deployment.'),
  bundle_id: id('The bundle that it runs.'),
  name: text('Its name.'),
  environment: text('Where it runs, in the words of whoever made it.'),
};

const state = {
  status: known(DEPLOYMENT_STATUSES, 'How it is.'),
  url: orNull(address('Where it answers; null: not known.')),
  bundle_version: orNull(count('The version of the bundle that it runs; null: not known.')),
};

const sample = {
  deployment_id: SAMPLE.deployment,
  bundle_id: SAMPLE.bundle,
  name: 'On-call desk',
  environment: 'production',
};

const sampleState = { status: 'RUNNING' as const, url: 'https://mcp.acme.example/on-call', bundle_version: 7 };

export const DEPLOYMENT_EVENTS = {
  'deployment.created': shape(
    { ...deployment, ...state, org_id: ORG_ID },
    { ...sample, ...sampleState, org_id: SAMPLE.organisation },
  ),

  'deployment.updated': shape(
    {
      ...deployment,
      ...state,
      changed: changed('name', 'environment', 'status', 'url', 'bundle_version'),
      org_id: ORG_ID,
    },
    { ...sample, ...sampleState, changed: ['bundle_version'], org_id: SAMPLE.organisation },
  ),

  'deployment.deleted': shape({ ...deployment, org_id: ORG_ID }, { ...sample, org_id: SAMPLE.organisation }),
} satisfies Partial<Record<EventType, EventShape>>;
