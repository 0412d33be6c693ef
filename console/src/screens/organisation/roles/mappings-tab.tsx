import { useState } from 'react';
import { useSignedIn } from '../../../api/me';
import type { useList } from '../../../api/queries';
import type { RoleMapping, ScimSettings } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Quiet, Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { When } from '../../../ui/when';
import { membersWords } from '../members/words';
import { AddMappingDialog } from './add-mapping-dialog';
import { ChangeMappingDialog, RemoveMappingDialog } from './mapping-dialogs';
import styles from './roles.module.css';
import { rolesWords } from './words';

const words = rolesWords.mappings;

interface Props {
  orgId: string;
  list: ReturnType<typeof useList<'GET /v1/organisations/{org_id}/scim/role-mappings'>>;
  settings: ScimSettings;
  /** Whether to connect a provider is not what comes first. */
  isConnected: boolean;
}

/** Which group gives which role. */
export function MappingsTab({ orgId, list, settings, isConnected }: Props) {
  const [isAdding, setAdding] = useState(false);
  const { default_role: defaultRole } = settings;
  return (
    <>
      <div className={styles.line}>
        <p className={styles.grow}>
          {words.help} {defaultRole === null ? words.noDefault : words.defaultRole(membersWords.roles[defaultRole])}
        </p>
        <Button {...(isConnected && { look: 'primary' as const })} icon="plus" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      </div>
      <Rows
        list={list}
        keyOf={({ id }) => id}
        label={words.list}
        height={70}
        readsOn
        row={(mapping) => <MappingRow orgId={orgId} mapping={mapping} settings={settings} />}
        empty={
          <Empty>
            <p>{words.none}</p>
            <p>{words.noneHelp}</p>
          </Empty>
        }
      />
      {isAdding && <AddMappingDialog orgId={orgId} settings={settings} onClose={() => setAdding(false)} />}
    </>
  );
}

interface RowProps {
  orgId: string;
  mapping: RoleMapping;
  settings: ScimSettings;
}

function MappingRow({ orgId, mapping, settings }: RowProps) {
  const me = useSignedIn();
  const [open, setOpen] = useState<'change' | 'remove'>();
  const close = () => setOpen(undefined);
  const isOwner = me.organisations.find(({ org_id }) => org_id === orgId)?.role === 'OWNER';
  const { group_name, role, state, has_effect, member_count, updated_at } = mapping;
  const name = shown(group_name);
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        <Row>
          <strong>
            <OtherText>{group_name}</OtherText>
          </strong>
          <span aria-hidden="true">→</span>
          <Badge tone="accent">{membersWords.roles[role]}</Badge>
          {state === 'waiting' && (
            <Badge tone="warn" icon="clock">
              {words.waiting}
            </Badge>
          )}
          {state === 'bound' && !has_effect && (
            <Badge tone="warn" icon="alert">
              {words.noEffect}
            </Badge>
          )}
        </Row>
        <Quiet>
          {member_count !== null && <>{words.people(number(member_count), member_count === 1)}. </>}
          {state === 'waiting' && <>{words.waitingHelp} </>}
          {state === 'bound' && !has_effect && <>{words.noEffectHelp} </>}
          {words.changed} <When at={updated_at} />
        </Quiet>
      </div>
      {isOwner || role !== 'OWNER' ? (
        <Row>
          <Button icon="pencil" aria-label={words.editLabel(name)} onClick={() => setOpen('change')}>
            {words.edit}
          </Button>
          <Button icon="trash" aria-label={words.removeLabel(name)} onClick={() => setOpen('remove')}>
            {words.remove}
          </Button>
        </Row>
      ) : (
        <Quiet>{words.onlyOwners}</Quiet>
      )}
      {open === 'change' && <ChangeMappingDialog orgId={orgId} mapping={mapping} settings={settings} onClose={close} />}
      {open === 'remove' && <RemoveMappingDialog orgId={orgId} mapping={mapping} onClose={close} />}
    </div>
  );
}
