/** Roles of people who run a service. */
const people = `
admin admins administrator administrators administration adm sysadmin sysadmins sysop system systems superadmin superuser
superusers su sudo sudoer root rootuser owner owners operator operators ops devops staff team teams crew employee employees
manager managers management boss chief ceo cto cfo coo ciso founder founders cofounder director directors president
moderator moderators mod mods editor editors curator maintainer maintainers webmaster webmasters hostmaster postmaster
newsmaster listmaster mailmaster usenet abuse noc security infosec secops soc csirt cert psirt
support supports helpdesk servicedesk service services customer customers customercare customerservice customersupport
techsupport feedback contact contacts contactus info information inquiry inquiries enquiries office reception hello
sales marketing press media pr partner partners partnership partnerships investor investors legal lawyer compliance
privacy dpo gdpr copyright dmca trademark takedown finance accounting accounts-payable billing invoices payments payroll
hr jobs career careers recruiting recruitment talent procurement purchasing
official verified trusted authentic real original community ambassador ambassadors expert experts
bot bots robot robots crawler spider daemon nobody noreply no-reply no_reply donotreply do-not-reply mailer mailer-daemon
mailerdaemon everyone everybody anyone anybody someone somebody all here channel group groups public private internal
external guest guests visitor visitors anonymous anon unknown user users username usernames member members account
accounts me myself self you your yours we us our they them nil null none void undefined nan true false yes no test tests
testing tester testers testuser demo demos example examples sample samples default defaults dummy placeholder foo bar baz
qux deleted removed banned blocked suspended disabled inactive`

/** Names of machines and of programs on them. */
const machines = `
www www1 www2 www3 web webs website websites site sites host hosts hosting hostname domain domains subdomain dns ns ns0 ns1
ns2 ns3 ns4 mx mx1 mx2 mail mails email emails email webmail smtp smtps imap imaps pop pop3 exchange autoconfig
autodiscover ftp ftps sftp ssh telnet vpn proxy gateway router firewall loadbalancer lb node nodes cluster server servers
srv backend frontend localhost local localdomain broadcasthost intranet extranet wpad isatap ntp time sip voip irc xmpp
jabber chat ldap sso saml oauth oauth2 oidc openid auth authn authz authentication authorization authorize identity idp
api api1 api2 apis graphql rest rpc grpc webhook webhooks websocket ws wss cdn static assets asset cache img image images
pic pics picture pictures photo photos video videos audio music file files upload uploads download downloads css js
javascript json xml rss atom feed feeds sitemap robotstxt favicon manifest well-known wellknown cgi cgi-bin bin etc usr var
tmp temp dev prod production stage staging sandbox preview beta alpha canary nightly release releases git svn hg cvs
repo repos repository repositories ci cd build builds deploy deployment database databases db sql mysql postgres postgresql
sqlite mongo mongodb redis elastic elasticsearch kafka rabbitmq queue queues worker workers cron job scheduler backup
backups log logs logger metrics monitor monitoring status health healthcheck healthz ping uptime stat stats statistics
analytics report reports audit debug trace config configuration settings setting setup install installer uninstall
update updates upgrade upgrades restart shutdown console shell terminal cli ssl tls crypto key keys secret secrets
password passwords passwd token tokens certificate certificates`

/** First path segments that many sites use. */
const paths = `
about aboutus about-us account-settings activate activation activity add ads advert adverts advertise advertising
affiliate affiliates announcement announcements answer answers app apps application applications archive archives article
articles author authors avatar avatars ban blog blogs board boards book bookmark bookmarks brand brands browse bug bugs
business buy calendar campaign campaigns cancel cart catalog categories category change changelog changes checkout client
clients close code codes collection collections comment comments company compare compose confirm confirmation connect
connection connections content contest contests contribute contributor contributors cookie cookies copy corporate country
coupon coupons create credit credits dashboard data date deal deals delete deletion design developer developers device
devices diff directory disconnect discover discussion discussions doc docs document documentation documents donate
donation donations draft drafts edit enterprise error errors event events exit explore export faq faqs favorite favorites
feature featured features find flag follow follower followers following font fonts forget forgot forgotpassword
forgot-password form forms forum forums free friend friends gallery game games get gift gifts go guide guides guideline
guidelines hashtag help helpcenter help-center history home homepage hot how howto icon icons id ids imprint impressum
inbox index input insert invitation invitations invite invites invoice issue issues item items join landing language
languages latest leaderboard learn legalnotice library license licenses like likes link links list lists live load locale
location locations lock login log-in log_in logins logon logout log-out logoff lost-password mailing mailinglist map maps
market marketplace mention mentions menu message messages messenger mine mobile mobile-app more my network new news
newsletter newsletters next notes notice notification notifications notify nsfw offer offers offline online open
order orders organization organizations overview page pages pay payment people permission permissions phone plan plans play plugin plugins policies policy poll polls popular portal portfolio post posts preferences
premium press-kit previous price prices pricing print privacy-policy privacypolicy pro product products profile profiles
project projects promo promotion promotions publish purchase purchases query question questions quote quotes random
ranking read readme recent recommend recommendation recommendations recover recovery redeem redirect refer referral
referrals refund refunds register registration reject remove rename renew reply request requests reset reset-password
resetpassword resource resources restore restricted resume return returns review reviews reward rewards role roles rule
rules safety sale save schedule schedules school science search section sections secure select send
session sessions share shared shop shopping show sign signin sign-in sign_in signout sign-out signup sign-up sign_up
sitenews slack source sponsor sponsors start store stores story stories style styles stylesheet subscribe subscriber
subscription subscriptions suggest suggestion suggestions survey surveys switch sync tag tags task tasks tax template
templates term terms terms-of-service termsofservice tos theme themes thread threads ticket tickets tip tips today tool
tools top topic topics tour trade training translate translation translations trash trending trends trial tutorial
tutorials unfollow unlock unsubscribe url urls usage validate validation verify verification version versions view views
vote votes wallet watch webinar welcome whois widget widgets wiki wikis wishlist work workshop world write yourname
yourself yourusername yoursite zone`

/**
 * Usernames that are refused if `block_reserved_usernames` is set: they could impersonate the staff or the machines of a service,
 * or conflict with its paths.
 */
export const reservedUsernames: ReadonlySet<string> = new Set(
  `${people} ${machines} ${paths}`.split(/\s+/).filter((word) => word !== ''),
)
