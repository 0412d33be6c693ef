import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Fails } from '../../http/answers/api-errors';
import { GivesImage, sendImage } from '../../http/answers/image-answer';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { Access } from '../catalog.access';
import { ErrorCode } from '../catalog.errors';
import { Icons } from './icons.service';
import { IMAGE_TYPES } from './image-kind';

@ApiTags('MCP Listings')
@Controller('mcp/listings/:listing_id/icon')
export class IconsController {
  constructor(private readonly icons: Icons) {}

  @Get()
  @OperationId('listing_icons_get')
  @Access('listing-reader')
  @IdParam('listing_id', 'The listing.')
  @ApiOperation({
    summary: 'Read the icon of a listing',
    description:
      'A PNG, JPEG or WebP of at most 64 KiB that the `server.json` of the latest version names. This service fetches it when it is first asked for, from addresses that webhooks may reach, and keeps it for a week.',
  })
  @GivesImage(IMAGE_TYPES, 'The picture.')
  @Fails(ErrorCode.IconNotFound)
  async get(
    @CurrentCaller() caller: Caller,
    @Param('listing_id') listingId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendImage(request, response, await this.icons.get(caller, listingId));
  }
}
