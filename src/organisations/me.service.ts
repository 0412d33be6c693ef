import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller';
import type { MeOrganisationOut, MeOut } from './me.dto';

@Injectable()
export class MeService {
  constructor(private readonly dataSource: DataSource) {}

  /** The account and every organisation to which it belongs, by name: few enough for any person to need no pages. */
  async get(caller: Caller): Promise<MeOut> {
    const organisations = await this.dataSource.query<MeOrganisationOut[]>(
      `SELECT organisations.id AS org_id, organisations.name, organisations.slug, memberships.role
       FROM memberships JOIN organisations ON organisations.id = memberships.org_id
       WHERE memberships.user_id = $1 AND memberships.role IS NOT NULL
       ORDER BY organisations.name, organisations.id`,
      [caller.userId],
    );
    return {
      id: caller.userId,
      email: caller.email,
      name: caller.name,
      is_platform_admin: caller.isPlatformAdmin,
      organisations: organisations.map(({ org_id, name, slug, role }) => ({ org_id, name, slug, role })),
    };
  }
}
