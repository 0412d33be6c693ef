import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { many } from '../../database/statements';
import { DEFINITION_SIZES } from '../upstreams/upstreams.sql';

/** Tells how much the servers of a bundle list, before it is in memory: 500 entries can have gigabytes. */
@Injectable()
export class DefinitionSizes {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param sets for which the lists are, as bits, by upstream
   * @returns bytes by upstream, for those that list anything
   */
  async of(sets: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const values = [[...sets.keys()], [...sets.values()]];
    const rows = await many<{ upstream_id: string; bytes: number }>(this.dataSource, DEFINITION_SIZES, values);
    return new Map(rows.map(({ upstream_id, bytes }) => [upstream_id, bytes]));
  }
}
