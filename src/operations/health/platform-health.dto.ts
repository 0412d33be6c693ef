import { ApiProperty } from '@nestjs/swagger';
import {
  KEY_PURPOSES,
  KEY_USES,
  type KeyPurpose,
  type KeyUse,
  type QueueName,
  QUEUES,
} from '../../metrics/health-sources';
import { IdField, InstantField } from '../../http/requests/fields';
import { HEALTH_STATES, type HealthState } from './health-rules';

const COUNT = { type: 'integer', minimum: 0 } as const;
const StateField = (description: string): PropertyDecorator => ApiProperty({ enum: HEALTH_STATES, description });

export class HealthVersionsOut {
  @StateField('`WARN`: live processes run different releases, which is right only while a new one is rolled out.')
  state: HealthState;

  @ApiProperty({ example: '0.2.0', description: 'The release that answers.' })
  service: string;

  @ApiProperty({
    type: [String],
    example: ['0.2.0'],
    description: 'The releases of all live processes that say theirs.',
  })
  releases: string[];

  @ApiProperty({ example: '17.2' })
  postgresql: string;

  @ApiProperty({ example: '24.11.1' })
  node: string;
}

export class HealthMigrationsOut {
  @StateField('`BAD`: some are pending. `WARN`: a newer release has run others.')
  state: HealthState;

  @ApiProperty({ ...COUNT, description: 'The number of migrations of this release that have run.' })
  applied: number;

  @ApiProperty({ type: [String], description: 'The migrations of this release that have not run.' })
  pending: string[];

  @ApiProperty({ type: [String], description: 'Migrations that this release does not know, ten at most.' })
  unknown: string[];
}

export class HealthCategoryCountsOut {
  @StateField('They are refreshed every 8 hours. `WARN`: never, or more than 9 hours ago. `BAD`: more than a day ago.')
  state: HealthState;

  @InstantField({ nullable: true })
  refreshed_at: string | null;
}

export class HealthQueueOut {
  @StateField(
    '`WARN`: the oldest has waited for more than a minute, or there are too many to count. `BAD`: for more than 10 minutes.',
  )
  state: HealthState;

  @ApiProperty({
    enum: QUEUES,
    description:
      '`WEBHOOK_EVENTS`: events without deliveries yet. `WEBHOOK_DELIVERIES`: deliveries to endpoints that work. `MAILS`: mails that are due.',
  })
  name: QueueName;

  @ApiProperty({ ...COUNT, description: 'How many wait for a worker, counted up to `counted_up_to`.' })
  depth: number;

  @ApiProperty(COUNT)
  counted_up_to: number;

  @InstantField({ nullable: true, description: 'Since when the first of them could have been done.' })
  oldest_at: string | null;
}

export class HealthLastImportOut {
  @ApiProperty({ example: 'https://registry.modelcontextprotocol.io' })
  source: string;

  @ApiProperty({ enum: ['running', 'finished', 'failed'] })
  status: 'running' | 'finished' | 'failed';

  @ApiProperty({ type: 'string', nullable: true })
  error: string | null;

  @InstantField()
  started_at: string;

  @InstantField({ description: 'When its last page was imported.' })
  updated_at: string;

  @InstantField({ nullable: true })
  finished_at: string | null;
}

export class HealthImportsOut {
  @StateField(
    '`WARN`: the last one failed, or one that runs has not moved for 15 minutes, or documents came into quarantine in the last 24 hours. `BAD`: `IMPORT_FROM` is set, and no import has finished for a day, or three intervals if that is longer.',
  )
  state: HealthState;

  @ApiProperty({ type: 'string', nullable: true, description: 'The registry that is imported by itself; null: none.' })
  from: string | null;

  @ApiProperty({ type: HealthLastImportOut, nullable: true, description: 'Null: nothing was ever imported.' })
  last: HealthLastImportOut | null;

  @InstantField({ nullable: true, description: 'When an import last finished.' })
  finished_at: string | null;

  @ApiProperty({
    ...COUNT,
    description: 'Documents in quarantine that wait for a decision, counted up to `counted_up_to`.',
  })
  quarantined: number;

  @ApiProperty({ ...COUNT, description: 'The number of them from the last 24 hours.' })
  quarantined_today: number;

  @ApiProperty(COUNT)
  counted_up_to: number;
}

/** A process that serves this database. */
export class HealthReplicaOut {
  @IdField()
  id: string;

  @ApiProperty({ type: [String], example: ['api', 'worker'] })
  parts: string[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Its release; null: one that does not say it.' })
  version: string | null;

  @ApiProperty({ description: 'Whether it has said so in the last 30 s.' })
  is_alive: boolean;

  @InstantField()
  started_at: string;

  @InstantField()
  seen_at: string;
}

export class HealthReplicasOut {
  @StateField('`BAD`: none answers requests, or none works. `WARN`: one ended without a word within the last hour.')
  state: HealthState;

  @ApiProperty({ ...COUNT, description: 'Live processes that answer requests.' })
  api: number;

  @ApiProperty({ ...COUNT, description: 'Live processes that deliver, import and clean up.' })
  worker: number;

  @ApiProperty({ type: [HealthReplicaOut], description: 'The 100 that were seen last.' })
  replicas: HealthReplicaOut[];
}

/** A key, without anything that is secret. */
export class HealthKeyOut {
  @StateField(
    '`SIGNING`: `WARN` if it has signed for more than 32 days, `BAD` for more than 60. `ENCRYPTION`: `WARN` if it is older than a year, or a former one may still have sealed something; `BAD` if the process that answers does not know it.',
  )
  state: HealthState;

  @ApiProperty({ enum: KEY_PURPOSES, description: '`SIGNING`: of access tokens. `ENCRYPTION`: `SECRETS_KEY`.' })
  purpose: KeyPurpose;

  @ApiProperty({ description: 'Its id, from which nobody learns the key.' })
  id: string;

  @ApiProperty({ enum: KEY_USES })
  use: KeyUse;

  @InstantField({ description: 'When its use began, or will begin.' })
  since: string;
}

/** How the instance is. */
export class PlatformHealthOut {
  @StateField('The worst of all.')
  state: HealthState;

  @InstantField({ description: 'By the clock of the database.' })
  read_at: string;

  @ApiProperty({ type: HealthVersionsOut })
  versions: HealthVersionsOut;

  @ApiProperty({ type: HealthMigrationsOut })
  migrations: HealthMigrationsOut;

  @ApiProperty({ type: HealthReplicasOut })
  replicas: HealthReplicasOut;

  @ApiProperty({ type: [HealthQueueOut] })
  queues: HealthQueueOut[];

  @ApiProperty({ type: HealthCategoryCountsOut })
  category_counts: HealthCategoryCountsOut;

  @ApiProperty({ type: HealthImportsOut })
  imports: HealthImportsOut;

  @ApiProperty({ type: [HealthKeyOut], description: 'With `OIDC_ISSUER` it has no `SIGNING` key.' })
  keys: HealthKeyOut[];
}
