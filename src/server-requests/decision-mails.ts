import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Mails } from '../mail/mails.service';
import { Membership } from '../organisations/members/membership.entity';
import { Organisation } from '../organisations/organisation.entity';
import { Accounts } from '../users/accounts.service';
import type { Decision } from './server-request-status';
import type { ServerRequestRow } from './server-request.dto';
import { decisionMail } from './server-request.mail';

const WORTH_SENDING_MS = 7 * 24 * 3_600_000;

/** Writes to members what became of their requests. */
@Injectable()
export class DecisionMails {
  constructor(
    private readonly mails: Mails,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Nothing without `SMTP_URL`, if the account has no address, to someone who has left the organisation, or to who decided.
   *
   * @param manager of the transaction that decides
   */
  async post(
    manager: EntityManager,
    orgId: string,
    request: ServerRequestRow,
    { by, ...decision }: { readonly status: Decision; readonly answer: string | null; readonly by: string },
  ): Promise<void> {
    const userId = request.requested_by;
    if (!this.mails.areOn || userId === by) return;
    const membership = await manager
      .getRepository(Membership)
      .findOne({ select: { role: true }, where: { orgId, userId } });
    const email = membership?.role ? await this.accounts.addressOf(manager, userId) : undefined;
    if (email === undefined) return;
    const organisation = await manager
      .getRepository(Organisation)
      .findOneOrFail({ select: { name: true, slug: true }, where: { id: orgId } });
    await this.mails.post(manager, {
      kind: 'SERVER_REQUEST_DECISION',
      // So that it is withdrawn with the account.
      aboutId: userId,
      to: email,
      expiresAt: new Date(this.clock.now().getTime() + WORTH_SENDING_MS),
      ...decisionMail(organisation, request, decision, this.environment.publicUrl),
    });
  }
}
