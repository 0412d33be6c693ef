import { type FormEvent, useState } from 'react';
import { listOf } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { TextArea, TextInput } from '../../../ui/field';
import { Quiet, Row, Section } from '../../../ui/layout';
import { Icon } from '../../../ui/icon';
import { checkRequest, type PastedRequest, type Verdict } from './signature';
import { duration, settingsWords } from './words';
import styles from './webhooks.module.css';

const words = settingsWords.receiver;
const EMPTY: PastedRequest = { headers: '', body: '', secret: '' };

/** Checks a request that a person pastes. Nothing of it leaves the page, nor is it kept in a draft. */
export function CheckSignature() {
  const [pasted, setPasted] = useState(EMPTY);
  const [verdict, setVerdict] = useState<Verdict>();
  // Browsers give it to pages over https and on localhost alone, whatever its type says.
  const subtle: SubtleCrypto | undefined = window.isSecureContext ? window.crypto.subtle : undefined;
  if (!subtle) {
    return (
      <Section title={words.check}>
        <p className={styles.notice}>{words.noCrypto}</p>
      </Section>
    );
  }
  const set = (next: Partial<PastedRequest>) => {
    setPasted({ ...pasted, ...next });
    setVerdict(undefined);
  };
  const check = async () => setVerdict(await checkRequest(pasted, subtle, Date.now()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check();
  };
  return (
    <Section title={words.check}>
      <Quiet>{words.checkHelp}</Quiet>
      <form onSubmit={submit} className={`${styles.form} ${styles.narrow}`} autoComplete="off">
        <TextArea
          label={words.headers}
          hint={words.headersHint}
          value={pasted.headers}
          onChange={(event) => set({ headers: event.target.value })}
          rows={4}
          spellCheck={false}
          required
        />
        <TextArea
          label={words.body}
          hint={words.bodyHint}
          value={pasted.body}
          onChange={(event) => set({ body: event.target.value })}
          rows={6}
          spellCheck={false}
          required
        />
        <TextInput
          label={words.secret}
          hint={words.secretHint}
          value={pasted.secret}
          onChange={(event) => set({ secret: event.target.value })}
          required
        />
        <Row>
          <Button type="submit" look="primary" icon="shield">
            {words.button}
          </Button>
        </Row>
      </form>
      <div role="status">{verdict && <Answer verdict={verdict} />}</div>
    </Section>
  );
}

function Answer({ verdict }: { verdict: Verdict }) {
  const isRight = verdict.is === 'right';
  return (
    <div className={`${styles.notice} ${styles.narrow} ${isRight ? styles.good : styles.bad}`}>
      <h3>
        <Icon name={isRight ? 'check' : 'alert'} /> {titleOf(verdict)}
      </h3>
      <p>{textOf(verdict)}</p>
    </div>
  );
}

function titleOf({ is }: Verdict): string {
  const { verdicts } = words;
  if (is === 'right') return verdicts.good;
  if (is === 'old' || is === 'future') return verdicts.time;
  return is === 'missing' || is === 'secretForm' || is === 'timestamp' || is === 'signatureForm'
    ? verdicts.unknown
    : verdicts.wrong;
}

function textOf(verdict: Verdict): string {
  const { faults } = words;
  switch (verdict.is) {
    case 'right':
      return words.right(duration(Math.abs(verdict.seconds) * 1_000));
    case 'old':
    case 'future':
      return faults[verdict.is](duration(Math.abs(verdict.seconds) * 1_000));
    case 'missing':
      return faults.missing(listOf(verdict.names));
    default:
      return faults[verdict.is];
  }
}
