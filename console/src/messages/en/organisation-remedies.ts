/** What to mend, for each provider; `other` where a provider has no way of its own. */
interface Mend {
  other: string;
  okta?: string;
  entra?: string;
  google?: string;
}

interface RemedyText {
  /** What is wrong. */
  what: string;
  mend: Mend;
}

const MAKE_TOKEN = 'Make another token on this page and paste it';
const NEW_TOKEN: Mend = {
  okta: `${MAKE_TOKEN} in Okta: Provisioning → Integration → Edit → HTTP Header. Then press Test Connector Configuration.`,
  entra: `${MAKE_TOKEN} in Entra ID: Provisioning → Admin Credentials → Secret Token. Then press Test Connection.`,
  google: `${MAKE_TOKEN} in Google: Autoprovisioning → Configure → Access token.`,
  other: `${MAKE_TOKEN} where your identity provider asks for a bearer token.`,
};

const remediesOf = <Name extends string>(texts: Record<Name, RemedyText>) => texts;

/** What is wrong with a call of an identity provider, and what to do about it: docs/scim/providers.md. */
export const remedies = remediesOf({
  token_revoked: { what: 'It came with a token that was revoked.', mend: NEW_TOKEN },
  token_expired: { what: 'It came with a token that has expired.', mend: NEW_TOKEN },
  token_wrong: {
    what: 'It came with a token that is not one of this organisation.',
    mend: {
      ...NEW_TOKEN,
      other: `Check that the whole token was pasted; it begins with “tys_”. ${NEW_TOKEN.other}`,
    },
  },
  user_name_taken: {
    what: 'Another person of the directory has this user name already. Capitals make no difference.',
    mend: {
      okta: 'A person who was deactivated still exists: assign them again with the same username, so that Okta links them. If they are two people, change the Application username of one of them.',
      entra:
        'Look the other person up in Entra ID. If they are two people, give one another userPrincipalName; if they are one, remove the copy from the scope.',
      google: 'Two people have this primary address. Give one of them another address in the Google directory.',
      other: 'Give one of the two people another user name, or let your identity provider link the one that is there.',
    },
  },
  external_id_taken: {
    what: 'Another person of the directory has this externalId already.',
    mend: {
      entra:
        'In Attribute mapping, map objectId instead of mailNickname to externalId: two people can have had the same nickname. Then restart provisioning.',
      other: 'Map an id to externalId that is never used twice, not a name or a nickname.',
    },
  },
  group_id_taken: {
    what: 'Another group of the directory has this externalId already.',
    mend: {
      entra: 'In Attribute mapping of groups, map objectId to externalId. Then restart provisioning.',
      other: 'Map an id to externalId that is never used twice, not the name of the group.',
    },
  },
  last_owner: {
    what: 'The organisation would have no owner any more, so nothing was changed.',
    mend: {
      other:
        'Make another person owner on the screen Members first. Your identity provider then sends the change again by itself.',
    },
  },
  user_name_missing: {
    what: 'The person has no user name.',
    mend: {
      okta: 'In Provisioning → To App, choose Email as the Application username.',
      entra: 'In Attribute mapping, map userPrincipalName to userName. The source may be empty for some people.',
      google: 'In Attribute mapping, map Primary email to userName.',
      other: 'Map the address of the person to userName.',
    },
  },
  user_name_invalid: {
    what: 'The user name has characters that are not allowed, such as symbols, or letters of both directions.',
    mend: {
      okta: 'Choose Email as the Application username, or correct the username of this person.',
      entra: 'Map userPrincipalName to userName, or correct the name of this person in Entra ID.',
      other: 'Map the address of the person to userName, or correct the name of this person.',
    },
  },
  member_unknown: {
    what: 'The group names a person who is not in the directory here.',
    mend: {
      okta: 'Assign the person to the application as well (Assignments), then press Push now for the group. If the person was deleted here, unassign and assign them again.',
      entra:
        'Assign the person to the application, or wait for the next cycle: people come before the members of groups.',
      other: 'Push the person first, then the group. The next cycle of your identity provider may do it by itself.',
    },
  },
  nested_group: {
    what: 'The group has another group in it. Only people can be members.',
    mend: {
      okta: 'Push the inner group by itself, and map it to a role, too.',
      entra: 'Assign the inner group to the application as well, or use a group with dynamic membership.',
      other: 'Push each group by itself, with its people.',
    },
  },
  group_name_missing: {
    what: 'The group has no name.',
    mend: {
      entra: 'In Attribute mapping of groups, keep displayName as the matching attribute.',
      other: 'Map the name of the group to displayName.',
    },
  },
  not_boolean: {
    what: 'An attribute that is yes or no was sent as something else.',
    mend: {
      entra:
        'In Attribute mapping, set active to Switch([IsSoftDeleted], , "False", "True", "True", "False"), and put ?aadOptscim062020 behind the Tenant URL.',
      other: 'Map the attribute to true or false.',
    },
  },
  two_primary: {
    what: 'More than one value is marked as the primary one.',
    mend: { other: 'Mark only one address, phone number or photo of the person as primary.' },
  },
  too_long: {
    what: 'A value is longer, or there are more values, than is stored.',
    mend: { other: 'Remove the attribute from the mapping, or map a shorter one. The error names it.' },
  },
  unknown_attribute: {
    what: 'It changes an attribute that no SCIM schema has.',
    mend: {
      okta: 'In Profile Editor → Mappings, remove the attribute that the error names. Attributes of your own are not stored.',
      entra:
        'In Attribute mapping, delete the line whose target is the attribute that the error names, and save. Otherwise Entra ID repeats the call in every cycle. Then restart provisioning.',
      google: 'In Attribute mapping, remove the attribute that the error names.',
      other: 'Remove the attribute that the error names from the mapping.',
    },
  },
  path: {
    what: 'It changes an attribute in a way that does not say which value is meant.',
    mend: {
      entra:
        'Put ?aadOptscim062020 behind the Tenant URL, so that Entra ID follows the standard, and restart provisioning.',
      other: 'Map the attribute with its type, such as emails[type eq "work"].value.',
    },
  },
  matching_attribute: {
    what: 'It looks a person or a group up by something that cannot be searched by.',
    mend: {
      okta: 'In Provisioning → Integration, set the Unique identifier field for users to userName.',
      entra: 'In Attribute mapping, match people by userName and groups by displayName.',
      other: 'Let your identity provider match people by userName or externalId, and groups by displayName.',
    },
  },
  unchangeable: {
    what: 'It changes what cannot be changed, such as an id.',
    mend: { other: 'Remove the attribute that the error names from the mapping.' },
  },
  no_target: {
    what: 'It replaces a value that is not there.',
    mend: {
      entra:
        'Put ?aadOptscim062020 behind the Tenant URL, and restart provisioning: Entra ID then sends the whole value.',
      other: 'Let your identity provider send the whole person again, often called “full sync” or “Push now”.',
    },
  },
  too_many: {
    what: 'It does more at once than one call may.',
    mend: {
      okta: 'Use an application of the catalogue (SCIM 2.0 Test App): it sends each change of a member by itself.',
      other: 'Let your identity provider send fewer changes in one call.',
    },
  },
  version_one: {
    what: 'It is not in the form of SCIM 2.0.',
    mend: {
      okta: 'Choose SCIM 2.0, not 1.1, in the application.',
      google: 'Choose an application of the catalogue that speaks SCIM 2.0.',
      other: 'Choose SCIM version 2.0 where your identity provider asks for it.',
    },
  },
  syntax: {
    what: 'Its body could not be read.',
    mend: { other: 'Check the template of the body, if your identity provider has one. It has to be JSON.' },
  },
  value: {
    what: 'A value was not of the kind that its attribute has.',
    mend: {
      okta: 'In Profile Editor → Mappings, check the attribute that the error names.',
      entra: 'In Attribute mapping, check the line of the attribute that the error names.',
      other: 'Check the mapping of the attribute that the error names.',
    },
  },
  base_url: {
    what: 'The address has a part too many: it ends with /Users or /Groups.',
    mend: {
      okta: 'Paste the address of this page as SCIM connector base URL. It ends with /scim/v2.',
      entra: 'Paste the address of this page as Tenant URL. It ends with /scim/v2?aadOptscim062020.',
      google: 'Paste the address of this page as Endpoint URL. It ends with /scim/v2.',
      other: 'Paste the address of this page as base URL. It ends with /scim/v2.',
    },
  },
  gone: {
    what: 'The person or group is not in the directory here any more.',
    mend: {
      okta: 'Unassign the person and assign them again; for a group, unlink it and push it again.',
      entra: 'Nothing: in its next cycle Entra ID makes them again. Provision on demand does it at once.',
      other: 'Let your identity provider push the person or group again.',
    },
  },
  wrong_address: {
    what: 'Nothing is at this address.',
    mend: { other: 'Paste the address of this page again. It ends with /scim/v2, without a slash behind it.' },
  },
  wrong_method: {
    what: 'Nothing of this kind can be done at this address.',
    mend: { other: 'Paste the address of this page again, and choose SCIM 2.0 in your identity provider.' },
  },
  changed_meanwhile: {
    what: 'What it changes was changed by another call in between.',
    mend: { other: 'Nothing: your identity provider reads it again and repeats the call.' },
  },
  too_large: {
    what: 'It is larger than a call may be. This happens to groups of thousands of people that are sent as a whole.',
    mend: {
      okta: 'Use an application of the catalogue (SCIM 2.0 Test App): it sends each change of a member by itself.',
      other: 'Let your identity provider send changes of groups, not whole groups, or split the group.',
    },
  },
  media_type: {
    what: 'It does not say that its body is JSON.',
    mend: { other: 'Set the content type to application/scim+json.' },
  },
  too_fast: {
    what: 'Too many calls came at once.',
    mend: { other: 'Nothing: your identity provider repeats it. If this goes on, ask your operator about its limits.' },
  },
  not_supported: {
    what: 'It uses a part of SCIM that is not supported here.',
    mend: { other: 'Switch that part off in your identity provider: /Me, or changing passwords.' },
  },
  busy: {
    what: 'The service was too busy, or could not reach its database.',
    mend: { other: 'Nothing: your identity provider repeats it. If this goes on, tell your operator.' },
  },
  ours: {
    what: 'Something went wrong here, not in your identity provider.',
    mend: { other: 'Give your operator the request id of this call: it is in the log of the server.' },
  },
  unknown: {
    what: 'The call was refused.',
    mend: { other: 'Read the error below: it is the one that your identity provider got.' },
  },
});
