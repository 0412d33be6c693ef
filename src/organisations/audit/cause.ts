import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Cause } from './audit-trail';

/** @returns the cause of a change made by this user */
export function causeOfMember({ userId, requestId }: { userId: string; requestId: string | null }): Cause {
  return { actorType: 'user', actorId: userId, requestId };
}

/** Controller parameter: the cause for a caller who need not be a member. */
export const CurrentCause = createParamDecorator((_: unknown, context: ExecutionContext): Cause => {
  const { caller, id } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('An open route has no caller.');
  return causeOfMember({ userId: caller.userId, requestId: id });
});
