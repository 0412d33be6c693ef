import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ScimError } from './scim-error';
import { ScimOperation } from './scim-operation.decorator';

const DETAILS = {
  summary: 'Not supported',
  description: 'A SCIM token represents an identity provider, not a person (RFC 7644, section 3.11).',
  answers: {},
  fails: [501],
};

/** RFC 7644, section 3.11: `/Me` is not supported, for which it specifies 501. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2/Me')
export class ScimMeController {
  @Get()
  @ScimOperation(DETAILS)
  get(): never {
    throw notSupported();
  }

  @Post()
  @ScimOperation(DETAILS)
  create(): never {
    throw notSupported();
  }

  @Put()
  @ScimOperation(DETAILS)
  replace(): never {
    throw notSupported();
  }

  @Patch()
  @ScimOperation(DETAILS)
  patch(): never {
    throw notSupported();
  }

  @Delete()
  @ScimOperation(DETAILS)
  remove(): never {
    throw notSupported();
  }
}

function notSupported(): ScimError {
  return new ScimError('notImplemented', '/Me is not supported: a SCIM token does not represent a person.');
}
