import { Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { FORM_TYPE } from '../../http/requests/body-rules';
import { hasBody, readBytes, UnreadableBodyError } from '../../http/requests/body-bytes';
import { LIMIT_HEADERS } from '../../http/openapi/openapi-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';
import { DomainError } from '../../errors/errors';
import { LogoutTokenError } from './logout-token';
import { RelyingParties } from './relying-parties';
import { SsoFailure } from './sso-failure';
import { SsoLogout } from './sso-logout.service';

const LIMIT_BYTES = 65_536;
const PAGE = { 'text/html': { schema: { type: 'string' as const } } };
const FAILURE = {
  'application/json': {
    schema: {
      type: 'object' as const,
      required: ['error', 'error_description'],
      properties: { error: { type: 'string' as const }, error_description: { type: 'string' as const } },
    },
  },
};

/** The endpoint at which a provider reports that sessions are over. */
@ApiTags('Pages')
@Controller('sso')
export class SsoLogoutController {
  constructor(
    private readonly parties: RelyingParties,
    private readonly logout: SsoLogout,
  ) {}

  @Post(':provider/backchannel-logout')
  @OperationId('sso_logout_accept')
  @Access('open')
  @PathParam('provider', text({ max: 40 }), 'The id of the provider.', 'company')
  @ApiOperation({
    summary: 'End sessions that are over at the identity provider',
    description:
      'OpenID Connect Back-Channel Logout 1.0, for the identity provider. The logout token authenticates it.',
  })
  @ApiConsumes(FORM_TYPE)
  @ApiBody({
    required: true,
    schema: { type: 'object', required: ['logout_token'], properties: { logout_token: { type: 'string' } } },
  })
  @ApiResponse({ status: 200, description: 'The sessions are over.' })
  @ApiResponse({ status: 500, description: 'A page that says what is wrong.', content: PAGE })
  @ApiResponse({ status: 400, description: 'The logout token is not valid here.', content: FAILURE })
  @ApiResponse({ status: 422, description: 'A page that says what is wrong.', content: PAGE })
  @ApiResponse({
    status: 429,
    description: 'A page that says what is wrong.',
    content: PAGE,
    headers: LIMIT_HEADERS,
  })
  @ApiResponse({
    status: 503,
    description: 'The keys of the provider could not be fetched; send it again.',
    content: FAILURE,
  })
  async end(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.set('Cache-Control', 'no-store');
    try {
      const party = this.parties.find(String(request.params.provider));
      if (!party) throw new LogoutTokenError('there is no such provider');
      await this.logout.end(party, await readToken(request, response));
      response.status(200).end();
    } catch (error) {
      if (error instanceof LogoutTokenError) answer(response, 400, 'invalid_request', error.message);
      else if (error instanceof SsoFailure) {
        response.set('Retry-After', '30');
        answer(response, 503, 'temporarily_unavailable', 'the keys of the provider could not be fetched');
      } else throw error;
    }
  }
}

function answer(response: Response, status: number, error: string, reason: string): void {
  response.status(status).json({ error, error_description: `The logout token was not accepted: ${reason}.` });
}

async function readToken(request: Request, response: Response): Promise<string> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE || !hasBody(request)) throw new LogoutTokenError('the body is not a form');
  try {
    const form = new URLSearchParams((await readBytes(request, response, LIMIT_BYTES)).toString('utf8'));
    const [token, ...others] = form.getAll('logout_token');
    if (token === undefined || others.length > 0) throw new LogoutTokenError('there is not exactly one');
    return token;
  } catch (error) {
    if (error instanceof UnreadableBodyError || error instanceof DomainError)
      throw new LogoutTokenError('the body cannot be read');
    throw error;
  }
}
