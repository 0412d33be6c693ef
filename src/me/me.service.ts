import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller, SignIn } from '../auth/caller';
import { TOKEN_SCOPE_NAMES } from '../auth/scopes';
import type { EmailState } from '../auth/verified-address';
import { many } from '../database/statements';
import type { MeOrganisationOut, MeOut, SignInOut } from './me.dto';

/** Explains the state of the address in a token; see docs/signing-in.md. */
const DETAILS: Record<EmailState, string> = {
  email_verified: 'The issuer has verified the address, so you have the access that directories grant to it.',
  xms_edov: 'The tenant owns the domain of the address, so you have the access that directories grant to it.',
  trusted_issuer:
    'The operator trusts the addresses of this issuer, so you have the access that directories grant to it.',
  not_verified:
    'The token does not state that the address is verified, so it is ignored. Configure the issuer to include `email_verified: true`, or `xms_edov` from Entra ID, in the access token.',
  unusable: 'The `email` in the token is not a valid address, so it is ignored.',
  missing:
    'The token has no `email`, so no directory can recognise you. Configure the issuer to include it in the access token.',
};

@Injectable()
export class MeService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The account and its organisations, ordered by name. No one has so many that pages are needed. Includes
   * organisations in which the user is suspended: they are still listed there and can leave.
   */
  async get(caller: Caller): Promise<MeOut> {
    const organisations = await many<MeOrganisationOut>(
      this.dataSource,
      `SELECT organisations.id AS org_id, organisations.name, organisations.slug, memberships.role,
              memberships.suspended
       FROM memberships JOIN organisations ON organisations.id = memberships.org_id
       WHERE memberships.user_id = $1
       ORDER BY organisations.name, organisations.id`,
      [caller.userId],
    );
    return {
      id: caller.userId,
      email: caller.email,
      name: caller.name,
      is_platform_admin: caller.isPlatformAdmin,
      scopes: caller.scopes ? TOKEN_SCOPE_NAMES.filter((scope) => caller.scopes?.has(scope)) : null,
      sign_in: caller.signIn ? toSignIn(caller.signIn) : null,
      organisations: organisations.map(({ org_id, name, slug, role, suspended }) => ({
        org_id,
        name,
        slug,
        role,
        suspended,
      })),
    };
  }
}

function toSignIn({ issuer, subject, email, emailState }: SignIn): SignInOut {
  return { issuer, subject, email, email_state: emailState, detail: DETAILS[emailState] };
}
