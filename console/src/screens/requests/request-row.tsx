import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ItemOf } from '../../api/client';
import { useChange } from '../../api/queries';
import { t } from '../../messages/text';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useDraft } from '../../ui/draft';
import { TextArea } from '../../ui/field';
import { Quiet, Row, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { When } from '../../ui/when';
import styles from './requests.module.css';

type ServerRequest = ItemOf<'GET /v1/organisations/{org_id}/server-requests'>;

const text = t.requests;
const MAX_ANSWER = 2_000;
const TONES: Record<ServerRequest['status'], Tone | undefined> = {
  OPEN: 'warn',
  APPROVED: 'good',
  DECLINED: 'bad',
  WITHDRAWN: undefined,
};
const CHANGES = ['GET /v1/organisations/{org_id}/server-requests', 'GET /v1/users/me/waiting'] as const;

interface Props {
  orgId: string;
  request: ServerRequest;
}

/** A request, with what the person may do about it. */
export function RequestRow({ orgId, request }: Props) {
  const [isDeciding, setDeciding] = useState(false);
  const { listing_id, name, why, status, answer } = request;
  const words = shown(name);
  return (
    <div className={styles.request}>
      <Stack gap="tight">
        <Row>
          <strong>
            {listing_id === null ? (
              <OtherText>{name}</OtherText>
            ) : (
              <Link to="/servers/$listingId" params={{ listingId: listing_id }}>
                <OtherText>{name}</OtherText>
              </Link>
            )}
          </strong>
          <Badge {...(TONES[status] && { tone: TONES[status] })}>{text.statuses[status]}</Badge>
        </Row>
        {why !== '' && (
          <p>
            <OtherText>{why}</OtherText>
          </p>
        )}
        {answer !== null && answer !== '' && (
          <p>
            <bdi>{text.answered(shown(request.decided_by?.name ?? text.unknownPerson))}</bdi>{' '}
            <OtherText>{answer}</OtherText>
          </p>
        )}
        <Quiet>
          <bdi>{text.by(shown(request.requested_by.name ?? text.unknownPerson))}</bdi>, <When at={request.created_at} />
        </Quiet>
      </Stack>
      {request.may_decide && <Button onClick={() => setDeciding(true)}>{text.decide}</Button>}
      {request.may_withdraw && !request.may_decide && <Withdraw orgId={orgId} id={request.id} name={words} />}
      {isDeciding && <DecideDialog orgId={orgId} request={request} onClose={() => setDeciding(false)} />}
    </div>
  );
}

function Withdraw({ orgId, id, name }: { orgId: string; id: string; name: string }) {
  const withdraw = useChange('POST /v1/organisations/{org_id}/server-requests/{request_id}/withdraw', CHANGES);
  return (
    <>
      <Button
        busy={withdraw.isPending}
        aria-label={text.withdrawLabel(name)}
        onClick={() =>
          withdraw.mutate({ path: { org_id: orgId, request_id: id } }, { onSuccess: () => notify(text.withdrawn) })
        }
      >
        {text.withdraw}
      </Button>
      {withdraw.error && <Problem error={withdraw.error} />}
    </>
  );
}

function DecideDialog({ orgId, request, onClose }: Props & { onClose: () => void }) {
  const [answer, setAnswer, dropAnswer] = useDraft(`decide.${request.id}`, '');
  const approve = useChange('POST /v1/organisations/{org_id}/server-requests/{request_id}/approve', CHANGES);
  const decline = useChange('POST /v1/organisations/{org_id}/server-requests/{request_id}/decline', CHANGES);
  const error = approve.error ?? decline.error;
  const parts = { path: { org_id: orgId, request_id: request.id }, body: { answer } };
  const done = {
    onSuccess: () => {
      dropAnswer();
      notify(text.decided);
      onClose();
    },
  };
  return (
    <Dialog open onClose={onClose} title={text.decideTitle(shown(request.name))}>
      {request.why !== '' && (
        <blockquote className={styles.why}>
          <OtherText>{request.why}</OtherText>
        </blockquote>
      )}
      <TextArea
        label={text.answer}
        value={answer}
        maxLength={MAX_ANSWER}
        error={error?.at('answer')}
        onChange={(event) => setAnswer(event.target.value)}
      />
      <Quiet>{text.decideHelp}</Quiet>
      {error && <Problem error={error} />}
      <Row>
        <Button
          look="primary"
          busy={approve.isPending || decline.isPending}
          onClick={() => approve.mutate(parts, done)}
        >
          {text.approve}
        </Button>
        <Button look="danger" busy={approve.isPending || decline.isPending} onClick={() => decline.mutate(parts, done)}>
          {text.decline}
        </Button>
      </Row>
    </Dialog>
  );
}
