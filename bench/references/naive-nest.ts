import { readFileSync } from 'node:fs';
import { Controller, Get, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';

const body = JSON.parse(readFileSync(process.env.BODY ?? '', 'utf8')) as object[];

class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: process.env.PUBLIC_KEY ?? '',
      algorithms: ['ES256'],
    });
  }

  validate(payload: { sub: string }): object {
    return { userId: payload.sub };
  }
}

@Controller('v1/mcp/categories')
@UseGuards(AuthGuard('jwt'))
class CategoriesController {
  @Get()
  list(): object[] {
    return body;
  }
}

@Module({ controllers: [CategoriesController], providers: [JwtStrategy] })
class NaiveModule {}

/** The other reference for categories: the obvious first version, Nest with passport-jwt as documented. */
void NestFactory.create(NaiveModule, { logger: false }).then((app) =>
  app.listen(Number(process.env.PORT), '127.0.0.1'),
);
