import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { many } from '../../database/statements';

/** $1 upstreams. The length of a long text is known without reading it. */
const SIZES = `
  SELECT upstream_id, sum(octet_length(body))::float8 AS bytes
  FROM upstream_definitions WHERE upstream_id = ANY ($1::uuid[]) AND is_listed GROUP BY upstream_id`;

/** Tells how much the servers of a bundle list, before it is in memory: 500 entries can have gigabytes. */
@Injectable()
export class DefinitionSizes {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns bytes by upstream, for those that list anything */
  async of(upstreamIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await many<{ upstream_id: string; bytes: number }>(this.dataSource, SIZES, [upstreamIds]);
    return new Map(rows.map(({ upstream_id, bytes }) => [upstream_id, bytes]));
  }
}
