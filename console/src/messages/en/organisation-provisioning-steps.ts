/** What is entered where, by the steps of docs/scim/providers.md. */
interface StepText {
  /** Why, or what this step is. */
  intro: string;
  todo: readonly string[];
  note?: string;
}

/** The fields of the identity provider for the address and the token, and what else is chosen between them. */
interface FieldTexts {
  address: string;
  token: string;
  others: readonly { field: string; value: string }[];
}

interface ProviderSteps {
  application: StepText;
  connection: StepText & { fields: FieldTexts };
  people: StepText;
  groups: StepText;
}

const stepsOf = <Name extends string>(steps: Record<Name, ProviderSteps>) => steps;

export const providerSteps = stepsOf({
  okta: {
    application: {
      intro:
        'Okta offers SCIM for SAML and SWA applications of its wizard, and by a test application of its catalogue. You need to be an administrator of applications.',
      todo: [
        'With an application of the wizard: “General → App Settings → Edit → Provisioning”, choose SCIM, and save. A new tab, “Provisioning”, appears.',
        'If people sign in by OpenID Connect, make a second application for provisioning only: “Applications → Browse App Catalog → SCIM 2.0 Test App (OAuth Bearer Token)”, and hide its icon from users.',
      ],
      note: 'With thousands of people in a group, take the application of the catalogue: it sends each change by itself.',
    },
    connection: {
      intro: 'Open “Provisioning → Integration → Edit” in Okta, and enter:',
      fields: {
        address: 'SCIM connector base URL',
        token: 'Authorization',
        others: [
          { field: 'Unique identifier field for users', value: 'userName' },
          { field: 'Supported provisioning actions', value: 'Push New Users, Push Profile Updates, Push Groups' },
          { field: 'Authentication mode', value: 'HTTP Header' },
        ],
      },
      todo: [
        'Press “Test Connector Configuration”: it must be green for the three actions. Its call appears below.',
        'Save. Then open “To App → Edit”, and enable “Create Users”, “Update User Attributes” and “Deactivate Users”.',
        'Leave “Sync Password” off: passwords are not stored here.',
      ],
    },
    people: {
      intro: 'Okta pushes the people that the application is assigned to.',
      todo: [
        'Choose “Email” as the “Application username”: it becomes the user name here.',
        '“Assignments → Assign” one person first, and look at the calls below.',
        'Then assign all others, or a group of them.',
      ],
      note: 'Unassigning or deactivating a person takes their access from the next request on. Their entry stays.',
    },
    groups: {
      intro: 'Groups give roles. Map them before or after they arrive: a mapping waits for the name of its group.',
      todo: [
        '“Push Groups → Find groups by name”: choose the group, “Create Group”, and save.',
        'Assign the members of the group to the application as well, or Okta leaves them out. Take another group for that than the one that you push.',
        'Map the group to a role here.',
      ],
    },
  },
  entra: {
    application: {
      intro:
        'Provisioning has an application of its own; sign-in is set up separately. You need to be an Application Administrator, and Entra ID P1 to provision by groups.',
      todo: [
        '“Entra admin center → Enterprise apps → New application → Create your own application”.',
        'Give it a name, and choose “Integrate any other application you don’t find in the gallery”.',
      ],
    },
    connection: {
      intro: 'Open “Provisioning → New configuration”, or “Get started” with the mode “Automatic”, and enter:',
      fields: { address: 'Tenant URL', token: 'Secret token', others: [] },
      todo: [
        'Press “Test Connection”. It asks for a person by a random id and expects none: the call appears below.',
        'Then “Create” or “Save”.',
      ],
      note: 'The end of the address, ?aadOptscim062020, makes Entra ID follow the standard.',
    },
    people: {
      intro: 'Two of the defaults are worth a change, then Entra ID pushes who is in scope.',
      todo: [
        '“Attribute mapping” of users: map objectId instead of mailNickname to externalId. It is never used twice.',
        'Delete mappings to attributes that no SCIM schema has: each call with one fails.',
        '“Properties”: set the scope to “Sync only assigned users and groups”. Then “Users and groups → Add”.',
        '“Provision on demand” with one person, and look at the calls below. Then “Start provisioning”.',
      ],
      note: 'Entra ID works in cycles of about 40 minutes. Provision on demand is immediate.',
    },
    groups: {
      intro: 'Groups give roles. Map them before or after they arrive: a mapping waits for the name of its group.',
      todo: [
        '“Users and groups → Add”: assign each group that gives a role.',
        'Groups inside an assigned group are not pushed: assign those, too, or use groups with dynamic membership.',
        '“Attribute mapping” of groups: displayName stays the matching attribute, objectId goes to externalId.',
        'Map the groups to roles here.',
      ],
    },
  },
  google: {
    application: {
      intro:
        'Google pushes people, but no groups, and only to applications of its own catalogue. The best way is another identity provider in between, such as Okta or Entra ID, that reads Google Workspace and pushes groups, too.',
      todo: [
        'To try it without one: “Admin console → Apps → Web and mobile apps → Add app → Search for apps”.',
        'Choose an application whose provisioning asks for an endpoint URL and an access token. Set SAML up as it asks, also if nobody signs in by it.',
      ],
      note: 'Google does not support an application as a shell for another service, and may change it.',
    },
    connection: {
      intro: 'Open “Autoprovisioning → Configure” of the application, and enter:',
      fields: { address: 'Endpoint URL', token: 'Access token', others: [] },
      todo: [
        'Attribute mapping: Primary email → userName and emails[type eq "work"], First name → name.givenName, Last name → name.familyName.',
        'Set autoprovisioning to “Active”. Its test appears below.',
      ],
    },
    people: {
      intro: 'Google pushes the people of the groups in scope, every few hours.',
      todo: [
        'Scope: choose the groups whose people are pushed. The groups themselves are not sent.',
        'Deprovisioning: suspend within 24 hours, for people who are suspended, deleted or lose the application.',
        'Turn the application on for the organisational units, and look at the calls below.',
      ],
    },
    groups: {
      intro: 'Google sends no groups, so all its people get the default role.',
      todo: [
        'Give higher roles by hand on the screen “Members”.',
        'Or let a script of your own push groups beside it, with a token of its own: docs/scim/providers.md has one to begin with.',
      ],
    },
  },
  other: {
    application: {
      intro:
        'All that speaks SCIM 2.0 works: OneLogin, JumpCloud, PingOne, Rippling, authentik, midPoint, your own script.',
      todo: [
        'OneLogin: add “SCIM Provisioner with SAML (SCIM v2 Enterprise)”.',
        'JumpCloud: “SSO Applications → your application → Identity Management”, version 2.0.',
        'Others: look for “SCIM 2.0” or “custom SCIM application”.',
      ],
    },
    connection: {
      intro: 'Enter these two where your identity provider asks for them:',
      fields: {
        address: 'Base URL, endpoint or tenant URL',
        token: 'Bearer token, API token or secret',
        others: [],
      },
      todo: ['Choose SCIM version 2.0.', 'Test the connection, if there is a button for it. The call appears below.'],
      note: 'A program starts with GET …/ServiceProviderConfig.',
    },
    people: {
      intro: 'Begin with one person, and look at the calls below.',
      todo: [
        'Map the address of people to userName and to emails.',
        'For people who leave, choose “suspend” or “deactivate” rather than “delete”, if their entry shall stay.',
      ],
    },
    groups: {
      intro: 'Groups give roles. Map them before or after they arrive: a mapping waits for the name of its group.',
      todo: [
        'Turn on the push of groups, and choose which.',
        'Push people before groups.',
        'Map the groups to roles here.',
      ],
    },
  },
});
