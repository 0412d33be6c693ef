import { address, changed, count, id, known, orNull, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';
import { ORG_ID, SAMPLE } from '../../organisations/organisation.events';
import { SAMPLE_BUNDLE } from '../bundle.events';
import { DEPLOYMENT_KINDS } from './deployment-kind';
import { DEPLOYMENT_STATUSES } from './deployment-status';

const SAMPLE_DEPLOYMENT = '019a9f64-59cb-7615-8c3e-20b6d1f79ea8';

const deployment = {
  deployment_id: id('The deployment.'),
  bundle_id: id('The bundle that it runs.'),
  name: text('Its name.'),
  environment: text('Where it runs, in the words of the person who created it.'),
};

const state = {
  kind: known(
    DEPLOYMENT_KINDS,
    'Where it runs. `EXTERNAL`: wherever its operator does. `ENDPOINT`: here, as an MCP endpoint.',
  ),
  status: known(DEPLOYMENT_STATUSES, 'Its status, as last reported by its operator; of an `ENDPOINT` its own.'),
  url: orNull(address('Its address; null: none was reported.')),
  bundle_version: orNull(count('The version of the bundle that it runs.')),
};

const sample = {
  deployment_id: SAMPLE_DEPLOYMENT,
  bundle_id: SAMPLE_BUNDLE,
  name: 'On-call desk',
  environment: 'production',
};

const sampleState = {
  kind: 'EXTERNAL' as const,
  status: 'RUNNING' as const,
  url: 'https://mcp.acme.example/on-call',
  bundle_version: 7,
};

export const DEPLOYMENT_EVENTS = defineEvents('Deployments', {
  'deployment.created': event(
    'Deployment created',
    'A deployment was bound to a bundle.',
    shape({ ...deployment, ...state, org_id: ORG_ID }, { ...sample, ...sampleState, org_id: SAMPLE.organisation }),
  ),

  'deployment.updated': event(
    'Deployment updated',
    'The name, environment, status, address or bundle version of a deployment changed.',
    shape(
      {
        ...deployment,
        ...state,
        changed: changed('name', 'environment', 'status', 'url', 'bundle_version'),
        org_id: ORG_ID,
      },
      { ...sample, ...sampleState, changed: ['bundle_version'], org_id: SAMPLE.organisation },
    ),
  ),

  'deployment.deleted': event(
    'Deployment deleted',
    'A deployment was removed from its bundle.',
    shape({ ...deployment, org_id: ORG_ID }, { ...sample, org_id: SAMPLE.organisation }),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof DEPLOYMENT_EVENTS> {}
}
