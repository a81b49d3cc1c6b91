"""Common English words: a word that stands here is no slip of the keyboard, so it is never corrected."""

_NOUNS = """
ability accident account acorn actor address adult advice aeroplane afternoon air airport alarm album
alcohol alley almond ambulance anchor angel animal ankle answer ant antenna apartment ape appetite apple
apricot apron aquarium arch arm armchair army arrow art ash ashtray ashtrays aspirin attic aunt author
autumn avocado award axe baby backyard bacon badge bag bagel baggage bait baker bakery balcony ball balloon
banana band bandage bank banner barbecue barber bargain bark barn barrel base baseball basement basil basin
bass bat batch bath bathrobe bathtub baton battery bay beach bead beak beam bean bear beard beast bed
bedding bee beef beer beetle bell belly belt bench berry bib bible bike bikini bill billiard bin binder
binoculars bird biscuit bit blackboard blade blanket blazer blender blind blinds block blouse blueberry
board boat body bolt bomb bone bonnet book bookcase bookshelf boot booth border bottle bottom bouquet bow
bowl bowling box boy bra bracelet braces brain brake branch brand brass bread breakfast breast breath brick
bride bridge briefcase broccoli broom brother brush bubble bucket buckle bud bug buggy building bulb bull
bumper bun bunch bunk burger burner bus bush butcher butter butterfly button cabbage cabin cabinet cable
cactus cafe cage cake calculator calendar calf camel camera camp can canal canary candle candy cane cannon
canoe canvas cap cape captain car caravan card cardboard cardigan care cargo carpet carriage carrier carrot
cart carton cartoon case cash cassette castle cat catalogue caterpillar cathedral cattle cauliflower cave
ceiling celery cell cellar cello cement cemetery center cereal certificate chain chair chalk chalkboard
chamber champagne chandelier change chapel charcoal charger chart cheek cheese chef cherry chess chest
chestnut chicken child chimney chin chip chips chisel chocolate choir chopsticks church cigar cigarette
cinema circle circus city clam clamp clarinet class claw clay clerk cliff clip clipboard clippers cloak
clock closet cloth clothes cloud clown club clue coach coal coast coaster coat cobweb cock cocktail cocoa
coconut cod coffee coffin coin collar comb comic compass computer cone cookbook cooker cookie cooler coral
cord core cork corn corner corridor cost costume cot cottage cotton couch counter court cousin cover cow
cowboy crab cracker cradle craft crane crash crate crayon cream credit crib cricket crocodile cross crow
crowd crown crumb crutch crystal cub cube cubicle cucumber cuff cup curb curry curtain curve cushion custard
cutlery cycle cylinder dad dagger daisy dam dance dart dashboard date daughter dawn deck deer dentist desert
desk dessert device dial diamond diaper diary dice dictionary diesel dinner dinosaur dirt disc dish
dishcloth dishwasher dispenser ditch diver dock doctor document dog doll dollar dolphin dongle donkey donut
door doorbell doorknob doormat dot dough dove dragon drain drawer drawing dress dresser dressing drill drink
driver drone drop drugs drum drummer dryer duck dumbbell dust duster duvet eagle ear earring earth easel eel
egg elbow elephant elevator elk email engine envelope eraser espresso evening exit eye eyebrow fabric face
factory fan farm farmer father faucet feather fence fern ferry festival fiddle field fig file film filter
fin finger fire fireplace fish fist flag flame flamingo flash flashlight flask flat flea flight floor flour
flower flute fly foam fog foil folder food foot football footstool forest fork fossil fountain fox frame
freezer fridge friend fries frog fruit fuel fur furniture fuse gallery game gap garage garbage garden garlic
gas gate gear gem ghost giant gift ginger giraffe girl glass glasses globe glove glue goal goat goggles gold
golf goose gorilla gown grandfather grandmother grape grapefruit grass grater gravel gravy grill ground
group guard guest guide guitar gum gun gutter gym hair hairbrush hairdryer ham hamburger hammer hammock
hamster hand handbag handkerchief handle handset hanger harbour hare harness harp hat hatch hawk hay head
headband headboard headlight headphones headset heart heater heel helicopter helmet hen herb herd
highlighter hill hinge hip hippo hive hob hockey hoe holder hole home honey hood hoof hook hoop hoover horn
horse hose hospital hostel hotel hound hour house hurdle hut hutch ice iceberg icon igloo ink insect invoice
iron island jacket jail jam jar jars jaw jay jeans jelly jet jewel jewellery jigsaw job joke joystick judge
jug juice jumper jungle kayak kebab ketchup kettle key keyboard keyring kid kidney kindle king kiosk kitchen
kite kitten kiwi knee knife knight knob knot label lace ladder ladle lady lake lamb lamp lamppost lane
lantern laptop lasagne latch laundry lavender law lawn lawyer leaf leaflet leash leather lectern leek leg
lemon lemonade lens leopard lesson letter lettuce lever library licence lid lift light lighter lighthouse
lime line lion lip lipstick list liver lizard llama loaf lobby lobster lock locker locket log lolly look
lorry lotion louse love lump lunch lung lute magazine magnet mail man mango mansion map maple marble
margarine mark marker market marmalade mask mast mat match matches mattress mayonnaise meal meat medal
medicine melon menu metal microphone microscope microwave milk mill mince mint mirror mist mitten mixer
mobile model modem mole money monitor monk monkey monster moon moose mop moped mortar mosquito moss moth
mother motor motorbike motorcycle mountain mouse mousetrap mouth mud muffin mug mule museum mushroom music
mussel mustard nail napkin nappy neck necklace nectarine needle neighbour nephew nest net nettle newspaper
nib niece night nightstand noise noodle noodles nose note notebook notepad number nurse nut nutcracker
nutmeg oak oar oasis oatmeal oats oboe ocean octopus office oil olive onion opener opera orange orchard
orchid organ ornament ostrich otter ottoman outfit oval oven owl ox oyster packet pad paddle page paint
paintbrush painting pair pajamas palace palm pan pancake panda pane panel panther pants paper paperclip
parachute parade parcel park parrot parsley partner party passport pasta paste pastry patch path patio paw
pay pea peace peach peacock peanut pear pearl peas pebble pedal peel peg pelican pen pencil penguin penny
people pepper perfume person pet petal petrol phone photo photograph piano pickle picnic picture pie pier
pig pigeon pile pill pillar pillow pillowcase pilot pin pine pineapple pipe pistol pit pizza place plane
planet plank plant plaster plastic plate platform player playground playpen pliers plough plug plum plumber
pocket pocketknife podium poem poker pole police pond pony pool popcorn popsicle porch pork port porter post
postcard poster pot potato pottery powder prawn present president pretzel price prince princess printer
prison prize probe projector protractor pudding puddle puffin pulley pump pumpkin punch pupil puppet puppy
purse pushchair puzzle pyjamas pyramid quail quarter queen quilt quiz rabbit raccoon race rack racket radar
radiator radio radish raft rag rail railing railway rain rainbow raincoat raisin rake ram ramp ranch
raspberry rat rattle raven razor receipt recipe record recorder rectangle reef refrigerator remote
restaurant rhino rib ribbon rice rider rifle ring river road robe robin robot rock rocket rod roll roller
roof room rooster root rope rose router rowing rubber rubbish rucksack rug ruler runner sack saddle safe
sail sailor salad salmon salt sand sandal sandals sandcastle sandwich sardine sash satchel sauce saucepan
saucer sausage saw saxophone scale scales scanner scarecrow scarf school scissors scone scooter score
scorpion scraper screen screw screwdriver scroll sculpture sea seagull seal seat seaweed seed semicircle
server shack shade shadow shampoo shark sharpener shaver shawl shed sheep sheet shelf shell shepherd shield
ship shirt shoe shoelace shoes shop shore shorts shoulder shovel shower shrimp shutter sidewalk sieve sign
signal signature silk silver singer sink sister skateboard skeleton sketch ski skin skirt skull sky
skyscraper sled sleeve slice slide slipper slippers slug smoke smoothie snack snail snake snorkel snow
snowball snowboard snowman soap soccer sock socket socks soda sofa soil soldier sombrero son song soup sour
spade spaghetti spanner sparrow spatula speaker spear spectacles sphere spice spider spike spinach spiral
spire sponge spool spoon spot spray sprayer spreadsheet spring square squash squid squirrel stable stadium
stage stain stair staircase stairs stake stall stamp stand stapler star starfish statue steak steam steel
stem step stereo stew stick sticker stocking stomach stone stool stopwatch storage store stork storm stove
strainer straw strawberry stream street stretcher string stroller submarine suit suitcase sun sundial
sunflower sunglasses sunhat sunscreen surf surfboard sushi swan sweater sweatshirt sweet swimsuit swing
switch sword syringe syrup table tablecloth tablespoon tablet tablets tack tail tambourine tank tap tape
target tart tattoo taxi tea teacher team teapot tear teaspoon teddy telephone telescope television telly
temple tennis tent terrace thermometer thermos thimble thread throat throne thumb ticket tie tiger tights
tile timer tin tinsel tip tire tissue toad toast toaster tobacco toe toilet tomato tomb tongs tongue tool
toolbox tooth toothbrush toothpaste torch tortoise towel tower town toy tractor trailer train trainer
trainers tram trampoline trap trash tray treadmill treasure tree triangle tricycle tripod trolley trombone
trophy trousers trout trowel truck trumpet trunk tub tuba tube tulip tuna tunnel turkey turnip turtle tuxedo
tweezers twig tyre umbrella uncle unicorn unicycle uniform vacuum valley van vase vegetable vehicle veil
vest video vine vinegar violin volcano volleyball vulture wagon waist waiter wall wallet walnut walrus wand
wardrobe warehouse washer wasp watch water waterfall watermelon wave wax weasel web wedding weed well whale
wheat wheel wheelbarrow wheelchair whisk whisky whistle whiteboard wifi wig wind windmill window wine wing
wire witch wizard wok wolf woman wood wool word workshop worm wreath wrench wrist yacht yak yam yard yarn
yoghurt yogurt yolk zebra zip zipper zoo
"""
_OTHERS = """
able about above absent accept across act add afraid after again against age agree ahead alive all allow
almost alone along already also always am among an and angry annoyed another any anyone anything anywhere
apart appear are area around arrive as ask asleep at ate awake away awful back bad baked bare be beautiful
became because become been before began begin behind beige being believe belong below bend beneath beside
best better between beyond big bigger biggest bite black blame bless blow blue boil bored born borrow both
bought bounce brave break bright bring broad broke broken brought brown build built burn burnt busy but buy
by call called came can capital careful carried carry catch caught cause charge charged cheap check choose
clean cleaned clear clearly clever climb close closed closer closest cold collect come comes cook cooked
cool correct could count cover covered crazy cross cry cut cyan daily damage damaged dangerous dark dead
deaf dear decide deep delicious deliver describe destroy did die died different difficult dig dirty
disappear do does doing done double down draw drew dried drive drop dropped drove dry due dull during each
earlier early easily easy eat eaten either else empty end enjoy enough enter entered equal escape even ever
every everyone everywhere exact excellent except exist expect expensive explain extra fact fair fall fallen
false familiar famous far fast fat favorite favourite fed feed feel fell felt few fight fill filled final
finally find fine finish finished first fit fix fixed flew floating fold follow for forever forget forgot
forgotten forward found free fresh friendly from front frozen full fun funny gave general gentle get getting
give given glad go goes going gold gone good got grab great green grew grow guess had half hang hanging
happen happened happy hard has hate have having he hear heard heavy held help her here hers herself hidden
hide high higher him himself his hit hold horrible hot how huge hungry hurry hurt i if ill important
impossible in inside instead interesting into is it its itself join jump just keep kept kick kill kind knew
know known large larger largest last lastly late later laugh lay lazy lead learn least leave led left lend
less let level lie lies like liked likely listen little live lived lives living load loaded local locked
long longer loose lose lost lot lots loud lovely low lower lucky made main make makes making many married
may maybe me mean meant meet meeting met middle might mild mine miss missed missing mix mixed moment more
morning most mostly move moved moves moving much must my myself narrow near nearby nearest nearly neat need
never new next nice no nobody none noon normal not nothing notice now nowhere odd of off often ok okay old
older oldest olive on once one only onto open opened opposite or orange order other others our ours out
outdoor outdoors outer outside over own owned owns pack paid painted part particular pass passed past pay
perfect pick picked pink placed plain plan play played please pleased plenty point poor popular possible
pour pretty probably proper proud prove provide pull purple push put puts quick quickly quiet quietly quite
ran rare raw reach read ready real really reason receive recent recently red remain remember remind remove
removed repair repeat replace rest return rich rid ride right ring ripe rise rob rode rough round row rude
ruin run running rush sad said same sang sat save saw say says scared search second see seek seem seen
seldom self sell send sense sent separate serious serve set several sew shake shall shallow shape sharp she
shine short shot should shout show shown shut shy sick side silly similar simple since sing single sit site
sitting size slept slim slow slowly small smaller smallest smart smell smelly smile smooth so soft sold
solid some somehow someone something sometimes somewhere soon sore sorry sort sound space spare speak
special spell spend spent spilt spin split spoil spoke spread stand standing start started stay stayed steal
steep stick still stole stolen stood stop stopped straight strange stretch strict strong stuck study stuff
stupid such sudden suddenly suppose sure swallow swam swap sweep swept swim take taken takes talk tall
taller tallest taste taught teach teal tell than thank that the their theirs them themselves then there
these they thick thin thing things think third this those though thought three threw through throw thrown
tidy tiny tired to today together told tomorrow tonight too took total touch toward tried trip true try turn
turned twice two type ugly under understand unhappy unlikely until up upon upper upset upstairs us use used
useful usual usually very visible visit visited voice wait wake walk walked want wanted warm was wash washed
waste way we weak wear weather week weigh weight welcome went were wet what when where which while white who
whole whom whose why wide wider wild will win wise wish with within without woke won wonder wooden work
working world worn worry worse worst would wrap write written wrong wrote year yellow yes yesterday yet you
young your yours
"""
COMMON = frozenset(_OTHERS.split())  # words that name no thing
WORDS = COMMON | frozenset(_NOUNS.split())
