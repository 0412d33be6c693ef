import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { IdParam } from '../../http/requests/fields';
import { Access } from './credential.access';
import { CredentialCreate, CredentialOut, CredentialQuery, CredentialUpdate } from './credential.dto';
import { ErrorCode } from './credential.errors';
import { CredentialsService } from './credentials.service';

const {
  BundleNotFound,
  BundleEntryNotFound,
  OrganisationNotFound,
  InsufficientRole,
  ListingNotFound,
  CredentialConflict,
} = ErrorCode;

const CredentialParam = () => IdParam('credential_id', 'The credential.');

@ApiTags('Credentials')
@Controller('credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @Access('account')
  @ApiOperation({
    summary: 'List credentials',
    description:
      'It lists the credentials that you may change: your own, those of bundles that you may change, and those of organisations in which you are ADMIN or OWNER. Their values are never shown.',
  })
  @Lists(CredentialOut)
  @Fails(BundleNotFound, OrganisationNotFound, InsufficientRole)
  list(@CurrentCaller() caller: Caller, @Query() query: CredentialQuery) {
    return this.credentials.list(caller, query);
  }

  @Post()
  @Access('account')
  @ApiOperation({
    summary: 'Give a credential',
    description:
      'For an entry of a bundle, as your own or for everyone who uses the bundle; or for a listing, in all bundles of an organisation. It is sent to the server of this moment only: if the listing points to another host later, nothing is sent until you confirm.',
  })
  @Creates(CredentialOut, ({ id }) => `/v1/credentials/${id}`)
  @Fails(
    ...[BundleNotFound, BundleEntryNotFound, OrganisationNotFound, ListingNotFound],
    ...[InsufficientRole, ErrorCode.Forbidden, CredentialConflict],
  )
  create(@CurrentCaller() caller: Caller, @Body() body: CredentialCreate) {
    return this.credentials.create(caller, body);
  }

  @Patch(':credential_id')
  @Access('credential-manager')
  @CredentialParam()
  @ApiOperation({
    summary: 'Change a credential',
    description:
      'A field that is absent or null keeps its value. If its server is at another origin by now, this is rejected unless `origin` confirms that.',
  })
  @Gives(CredentialOut)
  @Fails(BundleNotFound, BundleEntryNotFound, ListingNotFound, CredentialConflict)
  update(@CurrentCaller() caller: Caller, @Param('credential_id') id: string, @Body() body: CredentialUpdate) {
    return this.credentials.update(caller, id, body);
  }

  @Delete(':credential_id')
  @Access('credential-manager')
  @CredentialParam()
  @ApiOperation({
    summary: 'Delete a credential',
    description: 'It counts from the next request on. Tokens are also given back to their issuer, where it takes them.',
  })
  @GivesNothing('The credential was deleted.')
  remove(@CurrentCaller() caller: Caller, @Param('credential_id') id: string) {
    return this.credentials.remove(caller, id);
  }
}
