/**
 * Whether strangers can have an address at a domain: it belongs to a public mail provider, or to a provider of access
 * whose customers get addresses. Sharing it with the sender makes a recipient no colleague.
 */
export function isPublicMailDomain(domain: string): boolean {
  const name = domain.toLowerCase();
  return publicDomains.has(name) || providersWithManyDomains.test(name);
}

/** Providers that are at home under many endings (yahoo.co.uk). */
const providersWithManyDomains =
  /^(?:aol|gmx|hotmail|live|msn|outlook|posteo|yahoo|yandex|ymail|zoho)\.(?:(?:com?|net|org)\.)?[a-z]{2,3}$/;

/**
 * Well-known providers, chosen by hand on 2026-11-26: out of the domains of free-email-domains 1.12.6 (MIT,
 * github.com/Kikobeats/free-email-domains), and out of general knowledge where that list lacks them (tuta.com,
 * mailbox.org). Checked in, because a list that is fetched can lose gmail.com. No list is complete:
 * `mail.internal_domains` names the sender's own domains.
 */
const listedDomains = [
  // Google, Microsoft, Yahoo, Apple, AOL.
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com passport.com windowslive.com yahoo.com
   ymail.com rocketmail.com icloud.com me.com mac.com aol.com aim.com verizon.net netscape.net
   compuserve.com`,
  // Providers of privacy and of paid addresses at shared domains.
  `proton.me protonmail.com protonmail.ch pm.me tuta.com tuta.io tutanota.com tutanota.de tutamail.com
   keemail.me posteo.de posteo.net mailbox.org hey.com fastmail.com fastmail.fm fastmail.net hushmail.com
   hush.com mailfence.com runbox.com startmail.com disroot.org riseup.net zoho.com zohomail.com zoho.eu
   zoho.in duck.com mozmail.com`,
  // International.
  `mail.com email.com usa.com europe.com post.com inbox.com lycos.com excite.com care2.com gmx.com gmx.net
   gmx.us mail2world.com bigfoot.com juno.com netzero.net opayq.com myself.com consultant.com engineer.com
   dr.com writeme.com iname.com cheerful.com techie.com india.com`,
  // United States and Canada.
  `comcast.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net optonline.net
   mindspring.com frontier.com frontiernet.net windstream.net roadrunner.com rr.com twc.com suddenlink.net
   centurylink.net q.com pacbell.net ameritech.net swbell.net prodigy.net embarqmail.com rogers.com shaw.ca
   sympatico.ca bell.net telus.net videotron.ca`,
  // United Kingdom and Ireland.
  `btinternet.com btopenworld.com virginmedia.com virgin.net ntlworld.com blueyonder.co.uk talktalk.net
   tiscali.co.uk sky.com plusnet.com o2.co.uk eircom.net`,
  // Germany, Austria, Switzerland.
  `gmx.de gmx.at gmx.ch web.de t-online.de freenet.de arcor.de mail.de email.de online.de chello.at aon.at
   bluewin.ch hispeed.ch`,
  // France, Belgium, Netherlands, Luxembourg.
  `orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr numericable.fr skynet.be telenet.be ziggo.nl
   kpnmail.nl planet.nl home.nl hetnet.nl xs4all.nl upcmail.nl casema.nl chello.nl`,
  // Italy, Spain, Portugal, Greece.
  `libero.it virgilio.it tiscali.it alice.it tin.it fastwebnet.it inwind.it iol.it terra.es telefonica.net
   ono.com sapo.pt iol.pt netcabo.pt otenet.gr`,
  // Nordic and Baltic countries.
  `comhem.se bredband.net spray.se online.no start.no epost.no mail.dk jubii.dk stofanet.dk kolumbus.fi
   luukku.com elisanet.fi suomi24.fi inbox.lv inbox.lt mail.ee`,
  // Poland, Czechia, Slovakia, Hungary, Romania, Bulgaria, former Yugoslavia.
  `wp.pl o2.pl onet.pl onet.eu op.pl interia.pl interia.eu poczta.fm poczta.onet.pl tlen.pl gazeta.pl vp.pl
   autograf.pl seznam.cz email.cz post.cz centrum.cz centrum.sk azet.sk atlas.cz volny.cz zoznam.sk
   freemail.hu citromail.hu indamail.hu vipmail.hu t-online.hu abv.bg mail.bg net.hr siol.net`,
  // Russia, Ukraine, Belarus, Kazakhstan.
  `mail.ru bk.ru inbox.ru list.ru internet.ru yandex.ru yandex.com ya.ru narod.ru rambler.ru lenta.ru ro.ru
   autorambler.ru myrambler.ru qip.ru ukr.net i.ua meta.ua bigmir.net tut.by`,
  // China, Taiwan, Hong Kong.
  `qq.com vip.qq.com foxmail.com 163.com 126.com yeah.net vip.163.com vip.126.com 188.com 139.com wo.cn
   189.cn sina.com sina.cn vip.sina.com sohu.com tom.com 21cn.com aliyun.com 263.net hinet.net
   netvigator.com`,
  // Japan, Korea.
  `yahoo.co.jp ymail.ne.jp docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp vodafone.ne.jp
   ybb.ne.jp nifty.com nifty.ne.jp biglobe.ne.jp ocn.ne.jp so-net.ne.jp plala.or.jp goo.jp mail.goo.ne.jp
   infoseek.jp excite.co.jp naver.com hanmail.net daum.net kakao.com nate.com korea.com`,
  // India, Southeast Asia, Australia, New Zealand.
  `rediffmail.com indiatimes.com sify.com vsnl.net bigpond.com bigpond.net.au optusnet.com.au iinet.net.au
   tpg.com.au internode.on.net ozemail.com.au westnet.com.au xtra.co.nz singnet.com.sg streamyx.com`,
  // Latin America.
  `uol.com.br bol.com.br terra.com.br ig.com.br globomail.com zipmail.com.br prodigy.net.mx speedy.com.ar
   fibertel.com.ar arnet.com.ar adinet.com.uy une.net.co`,
  // Israel, Turkey, Arab countries, Africa.
  `walla.com walla.co.il netvision.net.il zahav.net.il bezeqint.net 012.net.il mynet.com maktoob.com
   webmail.co.za mweb.co.za telkomsa.net`,
];

const publicDomains: ReadonlySet<string> = new Set(listedDomains.flatMap((line) => line.split(/\s+/)));
