import { join } from 'node:path';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator';
import { OperationId } from '../../http/openapi/openapi-operations';
import { Forms } from '../../pages/forms';
import { pageAsset } from '../../pages/page-assets';
import { ShowsPage } from '../../pages/page-route';
import { WebPages } from '../../pages/web-pages';
import { type SetUpFields, setUpFields, type SetUpProblems, setUpProblems } from './set-up-form';
import { setUpPage } from './set-up.page';
import { SetUp } from './set-up.service';

const FORM = 'setup';
const SCRIPT = pageAsset('set-up', 'js', join(__dirname, 'set-up.browser.js'));

@Controller('setup')
export class SetUpController {
  constructor(
    private readonly setUp: SetUp,
    private readonly forms: Forms,
    private readonly pages: WebPages,
  ) {}

  @Get()
  @OperationId('set_up_page_get')
  @Access('open')
  @ShowsPage({
    summary: 'Set this instance up',
    description: 'Its first account and organisation. 404 once that is done.',
    fails: [404],
  })
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.setUp.requireOpen();
    this.send(request, response, setUpFields({}), {});
  }

  @Post()
  @OperationId('set_up_page_accept')
  @Access('open')
  @ShowsPage({
    summary: 'Make the first account and its organisation',
    fails: [404, 409, 422],
    form: {
      token: { description: 'From the link that the start printed, or `SETUP_TOKEN`.' },
      organisation: { description: 'The name of the organisation.', maxLength: 200 },
      name: { description: 'The name of the administrator.', maxLength: 200 },
      email: { description: 'Their address.', maxLength: 320 },
      password: { description: '15 to 128 characters.' },
    },
  })
  async accept(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.setUp.requireOpen();
    const fields = setUpFields(await this.forms.read(request, response, FORM));
    const problems = setUpProblems(fields);
    if (Object.keys(problems).length > 0) return this.send(request, response, fields, problems);
    const problem = await this.setUp.run(request, response, fields);
    if (problem === undefined) this.pages.redirect(response, '/');
    else this.send(request, response, fields, {}, problem);
  }

  private send(
    request: Request,
    response: Response,
    fields: SetUpFields,
    problems: SetUpProblems,
    problem?: string,
  ): void {
    const isWrong = problem !== undefined || Object.keys(problems).length > 0;
    this.pages.send(response, {
      title: 'Set up Toolyard',
      status: isWrong ? 422 : 200,
      body: setUpPage({ csrf: this.forms.token(request, response, FORM), fields, problems, problem }),
      script: SCRIPT,
    });
  }
}
