import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { number } from '../../../messages/text';
import { buttonClass } from '../../../ui/button';
import { Card, Quiet, Row, Section, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Calls } from './calls';
import { ConnectionStep } from './connection-step';
import { Domains } from './domains';
import type { MadeToken } from './new-token';
import { type Provider, type Step, stepBeside, stepOf, STEPS } from './provider';
import styles from './provisioning.module.css';
import { Todo } from './todo';
import { usePlace } from './use-place';
import { stepWords, words } from './words';

const text = words.guide;
const PROVISIONING = '/organisations/$orgId/provisioning';

/** The way to connect one identity provider, step by step; which step is in the address. */
export function Guide({ provider }: { provider: Provider }) {
  const { orgId, search } = usePlace();
  const step = stepOf(search.step);
  // Here, so that it is still to be seen after a look at another step.
  const [made, setMade] = useState<MadeToken>();
  const place = STEPS.indexOf(step) + 1;
  return (
    <Stack gap="wide">
      <StepLinks provider={provider} step={step} />
      <Card>
        <Section title={text.step(number(place), number(STEPS.length), text.steps[step])}>
          <Stack>
            {step === 'domain' && (
              <>
                <p>{text.domainHelp}</p>
                <Domains orgId={orgId} />
              </>
            )}
            {step === 'connection' && <ConnectionStep provider={provider} made={made} onMade={setMade} />}
            {(step === 'application' || step === 'people' || step === 'groups') && (
              <StepText provider={provider} step={step} />
            )}
            {step === 'groups' && provider !== 'google' && (
              <Row>
                <Link to="/organisations/$orgId/roles" params={{ orgId }} className={buttonClass()}>
                  {text.toRoles}
                </Link>
              </Row>
            )}
            <StepButtons step={step} />
            <Quiet>{text.saved}</Quiet>
          </Stack>
        </Section>
      </Card>
      {(step === 'connection' || step === 'people' || step === 'groups') && (
        <Calls providerOf={() => provider} empty={<Waiting />} />
      )}
    </Stack>
  );
}

function StepLinks({ provider, step }: { provider: Provider; step: Step }) {
  const { orgId, search } = usePlace();
  return (
    <nav aria-label={text.label}>
      <ol className={styles.steps}>
        {STEPS.map((one, index) => (
          <li key={one}>
            <Link
              to={PROVISIONING}
              params={{ orgId }}
              search={{ ...search, provider, step: one, entry: undefined }}
              className={styles.step}
              activeProps={{ 'aria-current': undefined }}
              aria-current={one === step ? 'step' : undefined}
            >
              <span>{number(index + 1)}</span>
              <span>{text.steps[one]}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function StepText({ provider, step }: { provider: Provider; step: 'application' | 'people' | 'groups' }) {
  const { intro, todo, note } = stepWords[provider][step];
  return (
    <>
      <p>{intro}</p>
      <Todo todo={todo} />
      {note !== undefined && <Quiet>{note}</Quiet>}
    </>
  );
}

function StepButtons({ step }: { step: Step }) {
  const { orgId, search } = usePlace();
  const [before, after] = [stepBeside(step, -1), stepBeside(step, 1)];
  return (
    <Row between>
      {before === undefined ? (
        <span />
      ) : (
        <Link to={PROVISIONING} params={{ orgId }} search={{ ...search, step: before }} className={buttonClass()}>
          {text.back}
        </Link>
      )}
      {after === undefined ? (
        <Link to={PROVISIONING} params={{ orgId }} search={{ tab: 'calls' }} className={buttonClass('primary')}>
          {text.finish}
        </Link>
      ) : (
        <Link
          to={PROVISIONING}
          params={{ orgId }}
          search={{ ...search, step: after }}
          className={buttonClass('primary')}
        >
          {text.next(text.steps[after])}
        </Link>
      )}
    </Row>
  );
}

const Waiting = () => (
  <Empty>
    <p>{words.calls.waiting}</p>
    <p>{words.calls.waitingHelp}</p>
  </Empty>
);
