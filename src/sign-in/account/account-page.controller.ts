import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';
import { ShowsPage } from '../../pages/page-route';
import { AccountPage } from './account-page.service';

const PASSWORD = { description: 'The password of the account.' };
const INVITATION = { description: 'The invitation, or the directory user.', format: 'uuid' } as const;

/** The page of one's own account. Who is not signed in is sent to sign in. */
@Controller('account')
export class AccountPageController {
  constructor(private readonly page: AccountPage) {}

  @Get()
  @OperationId('account_page_get')
  @Access('open')
  @ShowsPage({ summary: 'Show your account' })
  show(@Req() request: Request, @Res() response: Response) {
    return this.page.show(request, response);
  }

  @Get('confirm')
  @OperationId('account_confirmation_page_get')
  @Access('open')
  @ShowsPage({ summary: 'Ask who you are' })
  askToConfirm(@Req() request: Request, @Res() response: Response) {
    return this.page.askToConfirm(request, response);
  }

  @Post('confirm')
  @OperationId('account_confirmation_page_accept')
  @Access('open')
  @ShowsPage({ summary: 'Confirm that it is you', fails: [422], form: { current_password: PASSWORD } })
  confirm(@Req() request: Request, @Res() response: Response) {
    return this.page.confirm(request, response);
  }

  @Post('password')
  @OperationId('account_page_change_password')
  @Access('open')
  @ShowsPage({
    summary: 'Set or change your password',
    fails: [401, 422],
    form: {
      current_password: { ...PASSWORD, required: false },
      password: { description: '15 to 128 characters.' },
      password_again: { description: 'The same.' },
    },
  })
  changePassword(@Req() request: Request, @Res() response: Response) {
    return this.page.changePassword(request, response);
  }

  @Post('remove-password')
  @OperationId('account_page_remove_password')
  @Access('open')
  @ShowsPage({ summary: 'Remove your password', fails: [401, 409], form: {} })
  removePassword(@Req() request: Request, @Res() response: Response) {
    return this.page.removePassword(request, response);
  }

  @Post('remove-identity')
  @OperationId('account_page_remove_identity')
  @Access('open')
  @ShowsPage({
    summary: 'Remove an identity on the page of your account',
    fails: [401, 404, 409],
    form: { identity_id: { description: 'The identity.', format: 'uuid' } },
  })
  removeIdentity(@Req() request: Request, @Res() response: Response) {
    return this.page.removeIdentity(request, response);
  }

  @Post('remove-passkey')
  @Access('open')
  @ShowsPage({
    summary: 'Remove a passkey on the page of your account',
    fails: [401, 404, 409],
    form: { passkey_id: { description: 'The passkey.', format: 'uuid' } },
  })
  removePasskey(@Req() request: Request, @Res() response: Response) {
    return this.page.removePasskey(request, response);
  }

  @Post('accept-invitation')
  @Access('open')
  @ShowsPage({
    summary: 'Accept an invitation on the page of your account',
    fails: [404, 409],
    form: { invitation_id: INVITATION },
  })
  acceptInvitation(@Req() request: Request, @Res() response: Response) {
    return this.page.acceptInvitation(request, response);
  }

  @Post('decline-invitation')
  @Access('open')
  @ShowsPage({
    summary: 'Decline an invitation on the page of your account',
    fails: [404, 409],
    form: { invitation_id: INVITATION },
  })
  declineInvitation(@Req() request: Request, @Res() response: Response) {
    return this.page.declineInvitation(request, response);
  }

  @Post('revoke-grant')
  @Access('open')
  @ShowsPage({
    summary: 'End the access of an application',
    form: { grant_id: { description: 'The grant.', format: 'uuid' } },
  })
  revokeGrant(@Req() request: Request, @Res() response: Response) {
    return this.page.revokeGrant(request, response);
  }

  @Post('revoke-token')
  @Access('open')
  @ShowsPage({
    summary: 'Revoke a personal access token on the page of your account',
    form: { token_id: { description: 'The token.', format: 'uuid' } },
  })
  revokeToken(@Req() request: Request, @Res() response: Response) {
    return this.page.revokeToken(request, response);
  }

  @Post('end-session')
  @OperationId('account_page_remove_session')
  @Access('open')
  @ShowsPage({
    summary: 'Sign out in one browser',
    form: { session_id: { description: 'The session.', format: 'uuid' } },
  })
  endSession(@Req() request: Request, @Res() response: Response) {
    return this.page.endSession(request, response);
  }

  @Post('sign-out-everywhere')
  @OperationId('account_page_remove_sessions')
  @Access('open')
  @ShowsPage({ summary: 'Sign out everywhere on the page of your account', form: {} })
  signOutEverywhere(@Req() request: Request, @Res() response: Response) {
    return this.page.signOutEverywhere(request, response);
  }
}
