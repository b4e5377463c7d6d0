/**
 * Maps user agents to fixed lists of names (decision 27). A user agent is untrusted input: no part of it is used as a
 * name, and plain text search bounds the time by the length of the user agent.
 */
import { isbot } from 'isbot'

import type { Device } from '../click.entity.js'

export interface Agent {
  bot: boolean
  browser: string | null
  os: string | null
  device: Device | null
}

/** A name and its tokens. A user agent that contains one of the tokens has this name. */
type NameTokens = [name: string, ...tokens: string[]]

/** The most specific names come first, because a user agent also contains the names of compatible browsers. */
const browsers: NameTokens[] = [
  // Browsers inside apps
  ['Instagram', 'Instagram '],
  ['Threads', 'Barcelona '],
  ['Messenger', 'FBAN/Messenger', 'FB_IAB/MESSENGER', 'FB_IAB/Orca'],
  ['Facebook', 'FBAN/', 'FBAV/', 'FB_IAB/', 'MetaIAB Facebook'],
  ['TikTok', 'musical_ly', 'trill_', 'TikTok', 'BytedanceWebview'],
  ['LinkedIn', 'LinkedInApp', '[LinkedIn'],
  ['Snapchat', 'Snapchat'],
  ['LINE', ' Line/', ' LIFF'],
  ['X', 'TwitterAndroid', 'Twitter for '],
  ['WeChat', 'MicroMessenger'],
  ['Pinterest', 'Pinterest/', 'Pinterest for '],
  ['KakaoTalk', 'KAKAOTALK'],
  ['Telegram', 'Telegram-'],
  ['Weibo', 'Weibo', '__weibo__'],
  ['Microsoft Teams', ' Teams/'],
  ['Slack', 'Slack_SSB', ' Slack/'],
  ['Spotify', ' Spotify/'],
  ['Google Search', 'GSA/'],
  // Browsers
  ['Microsoft Edge', 'Edg/', 'EdgA/', 'EdgiOS/', 'Edge/'],
  ['Oculus Browser', 'OculusBrowser/'],
  ['UC Browser', 'UCBrowser', 'UCWEB', 'UCMobile/', 'UC Browser', ' UBrowser/'],
  ['QQ Browser', 'QQBrowser'],
  ['Opera Mini', 'Opera Mini', 'OPiOS/'],
  ['Opera Touch', 'OPT/'],
  ['Opera', 'OPR/', 'OPX/', 'OPRGX/', 'Opera'],
  ['Yandex Browser', 'YaBrowser/', 'YaSearchBrowser/'],
  ['Samsung Internet for Android', 'SamsungBrowser/'],
  ['Vivaldi', 'Vivaldi/'],
  ['Brave', 'Brave'],
  ['DuckDuckGo', 'DuckDuckGo/', 'Ddg/'],
  ['Amazon Silk', 'Silk/'],
  ['Miui', 'MiuiBrowser/'],
  ['Huawei Browser', 'HuaweiBrowser/'],
  ['Honor Browser', 'HonorBrowser/', 'bdhonorbrowser/'],
  ['HeyTap Browser', 'HeyTapBrowser/'],
  ['Vivo Browser', 'VivoBrowser/'],
  ['NAVER Whale Browser', 'Whale/'],
  ['Avast Secure Browser', 'AvastSecureBrowser/', ' Avast/'],
  ['Aloha Browser', 'AlohaBrowser/', ' ABB/'],
  ['Coc Coc', 'coc_coc_browser/'],
  ['Puffin', 'Puffin/'],
  ['Ecosia', 'Ecosia '],
  ['Maxthon', 'Maxthon', 'MxBrowser/'],
  ['Baidu', 'baiduboxapp/', 'baidubrowser/', 'BIDUBrowser'],
  ['Sogou Browser', 'MetaSr', 'SogouMobileBrowser/', 'SogouMSE'],
  ['Electron', 'Electron/'],
  ['Pale Moon', 'PaleMoon/'],
  ['Waterfox', 'Waterfox/'],
  ['SeaMonkey', 'SeaMonkey/'],
  ['Firefox', 'Firefox/', 'FxiOS/', 'Focus/'],
  ['Chromium', 'Chromium/'],
  ['Chrome', 'Chrome/', 'CriOS/'],
  ['Internet Explorer', 'MSIE ', 'Trident/'],
]

const systems: NameTokens[] = [
  ['Chrome OS', 'CrOS '],
  ['Windows Phone', 'Windows Phone', 'WPDesktop', 'ZuneWP7'],
  ['Windows Mobile', 'Windows CE', 'Windows Mobile'],
  ['KaiOS', 'KAIOS/', 'KaiOS/'],
  ['HarmonyOS', 'HarmonyOS', 'OpenHarmony'],
  ['Tizen', 'Tizen'],
  ['WebOS', 'Web0S', 'webOS', 'hpwOS'],
  ['tvOS', 'tvOS', 'AppleTV', 'Apple TV'],
  ['watchOS', 'watchOS'],
  ['PlayStation', 'PlayStation', 'PLAYSTATION'],
  ['Nintendo', 'Nintendo'],
  ['Roku', 'Roku'],
  ['Android', 'Android', 'FBAN/FB4A', 'Silk/', '; Adr '],
  ['iOS', 'iPhone', 'iPad', 'iPod', 'iOS'],
  ['BlackBerry', 'BlackBerry', 'BB10', 'PlayBook'],
  ['Symbian', 'Symbian', 'SymbOS'],
  ['Windows', 'Windows', 'WinNT', 'Win98'],
  ['macOS', 'Macintosh', 'Mac OS X', 'Mac_PowerPC'],
  ['FreeBSD', 'FreeBSD'],
  ['OpenBSD', 'OpenBSD'],
  ['Linux', 'Linux', 'Ubuntu'],
]

const desktopSystems = new Set(['Windows', 'macOS', 'Linux', 'Chrome OS', 'FreeBSD', 'OpenBSD'])

/** HTTP libraries that isbot does not recognize as bots. */
// prettier-ignore
const libraries = [
  'CFNetwork', 'Dart/', 'Dalvik/', 'Alamofire/', 'okhttp', 'PowerShell/',
  'aws-sdk-', 'aws-cli/', 'Boto', 's3fs/', 'JetS3t/',
]
// prettier-ignore
const otherDevices = [
  // Televisions
  'SmartTV', 'SMART-TV', 'Smart-TV', 'Smart TV', 'HbbTV', 'GoogleTV', 'AppleTV', 'Apple TV', 'Android TV', 'tvOS', 'CrKey',
  'BRAVIA', '; AFT', 'NetCast', 'Web0S', 'Roku', ' TV Safari', 'Large Screen', 'MiTV',
  // Consoles, watches, headsets, cars and e-readers
  'PlayStation', 'PLAYSTATION', 'Xbox', 'Nintendo', 'watchOS', 'OculusBrowser', ' Quest', ' VR ', 'Tesla/', 'Kindle/',
]
const tablets = ['iPad', 'Tablet', 'tablet', 'PlayBook', 'TouchPad', 'Kindle Fire', 'Silk-Accelerated']
// prettier-ignore
const mobiles = [
  'Mobi', 'iPhone', 'iPod', 'Windows Phone', 'Windows CE', 'BlackBerry', 'Symbian', 'KAIOS', 'Telegram-Android',
  'Opera Mini', 'UCWEB', 'J2ME', 'MIDP',
]

/** isbot takes up to 300 µs for 512 characters. Nearly all bots are recognizable within the first 256. */
const botPrefixLength = 256

/** The journal limits the length of a user agent (`visitLimits`), which bounds the time of a search. */
export function describeAgent(userAgent: string): Agent {
  // Every browser sends a user agent, so a request without one comes from a program.
  if (userAgent === '') return { bot: true, browser: null, os: null, device: 'bot' }
  const bot = containsAny(userAgent, libraries) || isbot(userAgent.slice(0, botPrefixLength))
  const os = findName(systems, userAgent)
  return {
    bot,
    browser: findName(browsers, userAgent) ?? detectSystemBrowser(userAgent, os),
    os,
    device: bot ? 'bot' : detectDevice(userAgent, os),
  }
}

/** Recognizes the default browsers of systems, which name only their engine. Other browsers must be excluded first. */
function detectSystemBrowser(userAgent: string, os: string | null): string | null {
  if (!userAgent.includes('AppleWebKit/')) return null
  if (os === 'Android') return 'Android Browser'
  return os === 'iOS' || os === 'macOS' || userAgent.includes('Version/') ? 'Safari' : null
}

function detectDevice(userAgent: string, os: string | null): Device | null {
  if (containsAny(userAgent, otherDevices)) return 'other'
  // Old versions of Internet Explorer send `Tablet PC` on every Windows device.
  if (os !== 'Windows' && containsAny(userAgent, tablets)) return 'tablet'
  if (containsAny(userAgent, mobiles)) return 'mobile'
  // Browsers send `Mobile` only on phones. Apps that do not name a browser never send it.
  if (os === 'Android') return userAgent.startsWith('Mozilla/') ? 'tablet' : 'mobile'
  return os !== null && desktopSystems.has(os) ? 'desktop' : null
}

function findName(list: NameTokens[], userAgent: string): string | null {
  for (const [name, ...tokens] of list) if (containsAny(userAgent, tokens)) return name
  return null
}

function containsAny(text: string, tokens: string[]): boolean {
  return tokens.some((token) => text.includes(token))
}
