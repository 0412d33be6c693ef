import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries';
import { Button } from '../../ui/button';
import { TextInput } from '../../ui/field';
import { Quiet } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import styles from './account.module.css';
import { createPasskey, hasPasskeys } from './passkey-browser';
import { SensitiveProblem } from './sensitive-problem';
import { accountWords } from './words';

const words = accountWords.passkeys;

/** Asks the browser for a passkey, and adds it. The first one comes with recovery codes. */
export function AddPasskey({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const start = useChange('POST /v1/users/me/passkeys/options', []);
  const add = useChange('POST /v1/users/me/passkeys', ['GET /v1/users/me/passkeys']);
  const [name, setName] = useState(words.nameDefault);
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  if (!hasPasskeys()) return <Quiet>{words.impossible}</Quiet>;

  const run = async () => {
    setAsking(true);
    setRefusal(undefined);
    try {
      const { public_key } = await start.mutateAsync({});
      const response = await createPasskey(public_key);
      const created = await add.mutateAsync({ body: { name, response } });
      notify(words.added);
      if (created.recovery_codes) onCodes(created.recovery_codes);
    } catch (error) {
      // What the API answers is shown by its mutation; this is what the browser says.
      if (error instanceof DOMException) setRefusal(words.notUsed);
      else if (error instanceof TypeError) setRefusal(words.impossible);
    } finally {
      setAsking(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isAsking) void run();
  };
  const atName = add.error?.at('name');
  return (
    <form onSubmit={submit} className={styles.form}>
      <div className={styles.inline}>
        <TextInput
          label={words.name}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={atName}
          maxLength={100}
          required
        />
        <Button type="submit" icon="key" busy={isAsking}>
          {words.add}
        </Button>
      </div>
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      <SensitiveProblem error={start.error} />
      {add.error && atName === undefined && <Problem error={add.error} />}
    </form>
  );
}
