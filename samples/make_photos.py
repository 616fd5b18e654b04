#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rebuilds Headrace's sample photos (samples/photos) from their sources.

The sources are five Debian packages of freely licensed pictures.  Unpack each
into a folder with its own name and give the folder that holds them:

    for p in gcompris-qt-data lomiri-wallpapers-16.04 lomiri-wallpapers-20.04 \\
             libjxl-testdata forensics-samples-files; do
        apt-get download $p && dpkg -x ${p}_*.deb sources/$p
    done
    pip install pillow==13.0.0
    python3 make_photos.py --sources sources --out photos

Every photo is one crop of one picture, resized with Lanczos and saved as a
baseline or progressive JPEG.  Nothing depends on a clock, a random number or
the order of files: with the package versions in PACKAGES and the Pillow wheel
13.0.0 (libjpeg-turbo 3.2.0, libwebp 1.6.0) the files are the same byte for
byte.  Another libjpeg-turbo, libwebp or Pillow may round differently.

  --check         compare with the files already in --out, write nothing there
  --docs DIR      also write DIR/SOURCES.tsv and DIR/LICENSES/ATTRIBUTION.md
"""

import argparse
import hashlib
import io
import os
import struct
import sys
import zlib
from collections import namedtuple

import PIL
from PIL import Image, ImageOps

PILLOW_VERSION = '13.0.0'

PACKAGES = {
    'forensics-samples-files': '1.1.4-5',
    'gcompris-qt-data': '3.1-2',
    'libjxl-testdata': '0.0~git20230110.d6168ff-1',
    'lomiri-wallpapers-16.04': '20.04.0-2',
    'lomiri-wallpapers-20.04': '20.04.0-2',
}

# The quality of a photo is QUALITIES[crc32(file name) % len(QUALITIES)].
QUALITIES = (87, 88, 92, 85, 80, 90, 87, 89, 88, 91, 82, 84, 95, 86, 85, 86, 93)

# A picture: the package, its path in the package (inside a Qt resource file
# after the '!'), title, author, licence, where it comes from, and what was
# done to it before it got into the package.
Source = namedtuple('Source', 'package path title author licence url note')

SOURCES = {
    'forensics-dogs-lawn': Source(
        'forensics-samples-files',
        'usr/share/forensics-samples/original-files/pic2/IMG_20200608_111614.jpg',
        'IMG_20200608_111614', 'Joao Eriberto Mota Filho',
        'CC-BY-SA-4.0', 'https://github.com/eribertomota/forensics-samples', ''),
    'forensics-two-dogs': Source(
        'forensics-samples-files',
        'usr/share/forensics-samples/original-files/pic1/IMG-20191006-WA0002.jpg',
        'IMG-20191006-WA0002', 'Joao Eriberto Mota Filho',
        'CC-BY-SA-4.0', 'https://github.com/eribertomota/forensics-samples', ''),
    'gcompris-ajanta-cave': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/ajantaCave.webp',
        'Aurangabad - Ajanta Caves (32)', 'Jonathanawhite',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Aurangabad_-_Ajanta_Caves_(32).JPG', ''),
    'gcompris-alpaca': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/alpaca.webp',
        'Dülmen, Börnste, Alpakas -- 2020 -- 5338', 'Dietmar Rabich / Wikimedia Commons',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:D%C3%BClmen,_B%C3%B6rnste,_Alpakas_--_2020_--_5338.jpg', 'cropping, sharpening'),
    'gcompris-arles-amphitheater': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/arlesAmphitheater.webp',
        'Arenes arles', '(WT-fr) OT Arles',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Arenes_arles.JPG', ''),
    'gcompris-aula-palatina': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/germany/aulaPalatina.webp',
        'Trier Konstantinbasilika BW 1', 'Berthold Werner',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Trier_Konstantinbasilika_BW_1.JPG', ''),
    'gcompris-bee': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/bee.webp',
        'Pollinationn', 'aussiegall',
        'CC-BY-2.0', 'https://commons.wikimedia.org/wiki/File:Pollinationn.jpg', 'cropping, sharpening'),
    'gcompris-berlin-cathedral': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/germany/berlinCathedral.webp',
        'Berlin Cathedral (28668994926)', 'Gary Todd',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Berlin_Cathedral_(28668994926).jpg', ''),
    'gcompris-brandenburg-gate': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/germany/brandenburgGate.webp',
        'Brandenburg Gate (summer 2005)', 'Evans1551',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Brandenburg_Gate_(summer_2005).JPG', ''),
    'gcompris-butterfly': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/butterfly.webp',
        'Parantica aglea at Nayikayam Thattu', '© 2014 Jee & Rani Nature Photography',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Parantica_aglea_at_Nayikayam_Thattu.jpg', 'non-linear rescaling, cropping, sharpening'),
    'gcompris-calf': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/calf.webp',
        "Close-up photograph of a calf's head looking at the viewer with pricked ears in Don Det Laos", 'Basile Morin',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Close-up_photograph_of_a_calf%27s_head_looking_at_the_viewer_with_pricked_ears_in_Don_Det_Laos.jpg', 'cropping, sharpening'),
    'gcompris-camels': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/camels.webp',
        'Camelus bactrianus in western Mongolia 02', 'Alexandr frolov',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Camelus_bactrianus_in_western_Mongolia_02.jpg', 'cropping, sharpening'),
    'gcompris-canyon-de-chelly': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/canyondeChelly.webp',
        'Canyon de chelly09', 'Nikater',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Canyon_de_chelly09.jpg', ''),
    'gcompris-carcassonne': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/citedeCarcassonne.webp',
        'Carcassonne - la Cité', 'Petitemontagnedujura',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Carcassonne_-_la_Cit%C3%A9.jpg', ''),
    'gcompris-castillo-san-marcos': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/castillodeSanMarcos.webp',
        'Castillo de San Marcos', 'National Park Service',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Castillo_de_San_Marcos.jpg', ''),
    'gcompris-castle-clinton': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/castleClinton.webp',
        'Castle Clinton National Monument in Battery Park - New York City - Areal view - 1961', 'Jack E. Boucher, National Park Service',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Castle_Clinton_National_Monument_in_Battery_Park_-_New_York_City_-_Areal_view_-_1961.jpg', ''),
    'gcompris-cat': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/cat.webp',
        'Spielendes Kätzchen', 'Loliloli',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Spielendes_K%C3%A4tzchen.JPG', ''),
    'gcompris-caterpillar': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/caterpillar.webp',
        'Papilio machaon - Daucus carota - Keila', 'Ivar Leidus',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Papilio_machaon_-_Daucus_carota_-_Keila.jpg', 'cropping, sharpening'),
    'gcompris-chamaeleon': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/chamaeleon.webp',
        'BennyTrapp Chamaeleo chamaeleon Samos Griechenland', 'Benny Trapp',
        'CC-BY-3.0', 'https://commons.wikimedia.org/wiki/File:BennyTrapp_Chamaeleo_chamaeleon_Samos_Griechenland.jpg', 'cropping, sharpening'),
    'gcompris-chambord': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/chateaudeChambord.webp',
        'Chambord Frontansicht', 'BjörnT',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Chambord_Frontansicht.JPG', ''),
    'gcompris-chameleon': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/chameleon.webp',
        'GARDEN CHAMELEON', 'Nilesh1104',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:GARDEN_CHAMELEON.jpeg', ''),
    'gcompris-charminar': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/charminar.webp',
        'Charminar 1', 'Goutamkhandelwal',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Charminar_1.JPG', ''),
    'gcompris-cheetah': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/cheetah.webp',
        'Cheetah (Acinonyx jubatus) female 2', 'Charles J. Sharp',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Cheetah_(Acinonyx_jubatus)_female_2.jpg', 'cropping, sharpening'),
    'gcompris-chenonceau': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/details.rcc!gcompris/src/activities/details/resource/image/Chenonceau_background.webp',
        'Chateau de Chenonceau 2008', 'Ra-smit; adapted by Bruno Coudoin and others (GCompris)',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Chateau_de_Chenonceau_2008.jpg', 'original photo CC-BY-SA-3.0'),
    'gcompris-chenonceau-bank': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/chateaudeChenonceau.webp',
        'Château de Chenonceau photo 1', 'Alf van Beem',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Ch%C3%A2teau_de_Chenonceau_photo_1.JPG', ''),
    'gcompris-chichen-itza': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/wonders/chichenItza.webp',
        'Chichen Itza 3', 'Daniel Schwen',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Chichen_Itza_3.jpg', ''),
    'gcompris-chicken': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/chicken.webp',
        'Chickens at Tranquilles B&B', 'Tranquilles',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Chickens_at_Tranquilles_B%26B.JPG', ''),
    'gcompris-colosseum': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/wonders/colosseum.webp',
        'Colosseum Roma 2009', 'Urse Ovidiu',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Colosseum_Roma_2009.jpg', ''),
    'gcompris-cow': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/cow.webp',
        'Cow-IMG 2050', 'Dohduhdah',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Cow-IMG_2050.JPG', ''),
    'gcompris-crab': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/crab.webp',
        'Sally Lightfoot Crab 2019', 'Nosferattus',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Sally_Lightfoot_Crab_2019.jpg', 'cropping, sharpening'),
    'gcompris-crocodile': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/crocodile.webp',
        'Saltwater Crocodile on a river bank (cropped)', 'Djambalawa',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Saltwater_Crocodile_on_a_river_bank_(cropped).jpg', ''),
    'gcompris-dog': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/dog.webp',
        'German-shepherd-4040871920. (2)', 'Hans Kemperman',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:German-shepherd-4040871920._(2).jpg', ''),
    'gcompris-dragon': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/dragon.webp',
        'Varanus komodoensis (5)', 'TimVickers',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Varanus_komodoensis_(5).jpg', ''),
    'gcompris-duck': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/duck.webp',
        'Aylesbury Duck. (9373723157)', 'Bernard Spragg',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Aylesbury_Duck._(9373723157).jpg', ''),
    'gcompris-egeskov': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/details.rcc!gcompris/src/activities/details/resource/image/EgeskovSlotSpejling_background.webp',
        'Egeskov Slot spejling', 'Malene Thyssen; adapted by Bruno Coudoin and others (GCompris)',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Egeskov_Slot_spejling.jpg', 'original photo CC-BY-SA-3.0'),
    'gcompris-eiffel-tower': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/eiffelTower.webp',
        'Eiffel Tower 20051010', 'Tognopop',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Eiffel_Tower_20051010.jpg', ''),
    'gcompris-eilan-donan-castle': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/details.rcc!gcompris/src/activities/details/resource/image/EilanDonanCastle_background.webp',
        'Eilean Donan castle - 95mm', 'Guillaume Piolle; adapted by Bruno Coudoin and others (GCompris)',
        'CC-BY-4.0', 'https://commons.wikimedia.org/wiki/File:Eilean_Donan_castle_-_95mm.jpg', 'original photo CC-BY-3.0'),
    'gcompris-fanoe-windmill': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/details.rcc!gcompris/src/activities/details/resource/image/FanoeWindmill_background.webp',
        'DK Fanoe Windmill01', 'Cnyborg; adapted by Bruno Coudoin and others (GCompris)',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:DK_Fanoe_Windmill01.JPG', 'original photo CC-BY-SA-3.0'),
    'gcompris-flying-fox': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/flying_fox.webp',
        'Grey headed flying fox - AndrewMercer IMG41848', 'Andrew Mercer',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Grey_headed_flying_fox_-_AndrewMercer_IMG41848.jpg', 'cropping, sharpening, removed a few spots'),
    'gcompris-fort-sumter': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/fortSumter.webp',
        'Fort Sumter, South Carolina (12583090893)', 'Gary Todd',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Fort_Sumter,_South_Carolina_(12583090893).jpg', ''),
    'gcompris-gateway-of-india': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/gatewayofIndia.webp',
        'Gateway-of-India', 'Simon Steinberger',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Gateway-of-India.jpg', ''),
    'gcompris-gibbon': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/gibbon.webp',
        'Hylobates lar - Kaeng Krachan WB', 'JJ Harrison',
        'CC-BY-3.0', 'https://commons.wikimedia.org/wiki/File:Hylobates_lar_-_Kaeng_Krachan_WB.jpg', 'cropping'),
    'gcompris-giraffe': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/giraffe.webp',
        'Giraffe', 'Sergio Cambelo',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Giraffe.JPG', 'cropping, sharpening'),
    'gcompris-giza-pyramid': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/egypt/greatPyramidOfGiza.webp',
        'Giza Great Pyramid of Khufu (9793952173)', 'Gary Todd',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Giza_Great_Pyramid_of_Khufu_(9793952173).jpg', ''),
    'gcompris-goat': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/goat.webp',
        'Walliser Schwarzhalsziege, Belalp 2014', 'JoachimKohlerBremen',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Walliser_Schwarzhalsziege,_Belalp_2014.jpg', 'cropping, sharpening'),
    'gcompris-golden-temple': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/goldenTemple.webp',
        'Golden Temple ', 'Jasdeep Singh',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Golden_Temple_.jpg', ''),
    'gcompris-gorilla': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/gorilla.webp',
        'Mountain gorilla (Gorilla beringei beringei) female 2', 'Charles J. Sharp',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Mountain_gorilla_(Gorilla_beringei_beringei)_female_2.jpg', 'cropping, sharpening'),
    'gcompris-gosling': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/gosling.webp',
        'Graugans-Gössel (anser anser) im Naturschutzgebiet Wagbachniederung', 'Stephan Sprinz',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Graugans-G%C3%B6ssel_(anser_anser)_im_Naturschutzgebiet_Wagbachniederung.jpg', 'cropping, sharpening'),
    'gcompris-great-stupa': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/greatStupa.webp',
        'Sanchi Stupa 1 (1999)', 'ArnoldBetten',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Sanchi_Stupa_1_(1999).JPG', ''),
    'gcompris-great-wall': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/wonders/greatWallofChina.webp',
        'Great Wall of China July 2006', 'Nicolas Perrault III',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Great_Wall_of_China_July_2006.JPG', ''),
    'gcompris-hawa-mahal': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/hawaMahal.webp',
        'Hawa Mahal, Jaipur, India', 'Janwiki',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Hawa_Mahal,_Jaipur,_India.jpg', ''),
    'gcompris-hedgehog': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/hedgehog.webp',
        'Erinaceus roumanicus 2020 G2', 'George Chernilevsky',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Erinaceus_roumanicus_2020_G2.jpg', ''),
    'gcompris-heron': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/heron.webp',
        'Purpurreiher (ardea purpurea) im Flug - NSG Wagbachniederung 1', 'Stephan Sprinz',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Purpurreiher_(ardea_purpurea)_im_Flug_-_NSG_Wagbachniederung_1.jpg', 'cropping'),
    'gcompris-horse': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/horse.webp',
        'Zaniskari Horse in Ladakh', 'Eatcha',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Zaniskari_Horse_in_Ladakh.jpg', 'cropping, sharpening'),
    'gcompris-horses': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/horse.webp',
        'Nokota Horse Stud Band', 'Seth Zeigler',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Nokota_Horse_Stud_Band.jpg', ''),
    'gcompris-jaguar': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/jaguar.webp',
        'Two Jaguar Sisters', 'Frieda Bredesen',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Two_Jaguar_Sisters.jpg', ''),
    'gcompris-kingfisher': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/kingfisher.webp',
        'Eisvogel kingfisher', 'Frank-2.0',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Eisvogel_kingfisher.jpg', 'cropping, sharpening'),
    'gcompris-kitten': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/kitten.webp',
        'A posing kitten (Flickr)', 'GalgenTX',
        'CC-BY-2.0', 'https://commons.wikimedia.org/wiki/File:A_posing_kitten_(Flickr).jpg', 'cropping, colour adjustment, sharpening'),
    'gcompris-koala': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/koala.webp',
        'Koala Perth Zoo', 'BurningWell',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Koala_Perth_Zoo.jpg', ''),
    'gcompris-konark-sun-temple': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/konarkSunTemple.webp',
        'Konark Sun Temple Front view', 'Tetraktys',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Konark_Sun_Temple_Front_view.jpg', ''),
    'gcompris-lemur': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/lemur.webp',
        'Lemur (37122852696)', 'Mathias Appel',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Lemur_(37122852696).jpg', ''),
    'gcompris-lincoln-memorial': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/lincolnMemorial.webp',
        'US-WashingtonDC-LincolnMemorial-20140312 014138 HDR v1', 'Brylie Christopher Oxley',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:US-WashingtonDC-LincolnMemorial-20140312_014138_HDR_v1.JPG', ''),
    'gcompris-long-nosed-monkey': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/long_nosed_monkey.webp',
        'Proboscis monkey (Nasalis larvatus) female and baby', 'Charles J. Sharp',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Proboscis_monkey_(Nasalis_larvatus)_female_and_baby.jpg', 'cropping, sharpening'),
    'gcompris-macaque': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/macaque.webp',
        'Bonnet macaques in anaimalai hills JEG2730', 'PJeganathan',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Bonnet_macaques_in_anaimalai_hills_JEG2730.jpg', 'cropping, sharpening'),
    'gcompris-machu-picchu': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/wonders/machuPicchu.webp',
        'Yet another pic of machu picchu', 'Guillaume Pascal',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Yet_another_pic_of_machu_picchu.jpg', ''),
    'gcompris-meerkats': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/meerkats.webp',
        'Meerkat (Suricata suricatta) Tswalu', 'Charles J. Sharp',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Meerkat_(Suricata_suricatta)_Tswalu.jpg', 'cropping, sharpening'),
    'gcompris-meidum-pyramid': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/egypt/meidumPyramid.webp',
        'Meidoum pyramide 006', 'Neithsabes',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Meidoum_pyramide_006.JPG', ''),
    'gcompris-mont-saint-michel': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/montStMichel.webp',
        'Mont Saint-Michel IMG 5109 (48875955288)', 'Ali Sabbagh',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Mont_Saint-Michel_IMG_5109_(48875955288).jpg', ''),
    'gcompris-moose': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/moose.webp',
        'Male Moose', 'Ryan Hagerty',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Male_Moose.jpg', ''),
    'gcompris-mount-rushmore': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/mountRushmore.webp',
        'Mount Rushmore, Keystone, South Dakota', 'Eekim',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Mount_Rushmore,_Keystone,_South_Dakota.jpg', ''),
    'gcompris-mysore-palace': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/mysorePalace.webp',
        'Mysore Palace 2006', 'Shiva sg',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Mysore_Palace_2006.jpg', ''),
    'gcompris-navajo': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/navajo.webp',
        'Betatakin Cliff Dwellings', 'Jon Sullivan',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Betatakin_Cliff_Dwellings.jpg', ''),
    'gcompris-neuschwanstein-castle': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/germany/neuschwansteinCastle.webp',
        'Neuschwanstein Castle (532850)', 'cameralends',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Neuschwanstein_Castle_(532850).jpg', ''),
    'gcompris-northern-harrier': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/northern_harrier.webp',
        'Female northern harrier in flight-1142', 'Frank Schulenburg',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Female_northern_harrier_in_flight-1142.jpg', 'cropping, sharpening'),
    'gcompris-notre-dame': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/details.rcc!gcompris/src/activities/details/resource/image/NDP_background.webp',
        'NotreDameDeParis', 'Sanchezn; adapted by Bruno Coudoin and others (GCompris)',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:NotreDameDeParis.jpg', 'original photo CC-BY-SA-3.0'),
    'gcompris-nubian-ibex': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/nubian_ibex.webp',
        'Juvenile Nubian ibex in Mitzpe Ramon (40409)', 'Rhododendrites',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Juvenile_Nubian_ibex_in_Mitzpe_Ramon_(40409).jpg', 'non-linear rescaling, cropping, sharpening'),
    'gcompris-owl': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/owl.webp',
        'Owl The Nightbird', 'Lepale',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Owl_The_Nightbird.jpg', ''),
    'gcompris-palais-des-papes': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/palaisdesPapes.webp',
        'Main entrance of the Palais des Papes - 20050823', 'Tognopop',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Main_entrance_of_the_Palais_des_Papes_-_20050823.jpg', ''),
    'gcompris-panda': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/panda.webp',
        'Giant Panda 2004-03-2', 'Jeff Kubina',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Giant_Panda_2004-03-2.jpg', ''),
    'gcompris-penguin': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/penguin.webp',
        '2019-03-03 Chinstrap penguin on Barrientos Island, Antarctica', 'Gordon Leggett / Wikimedia Commons',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:2019-03-03_Chinstrap_penguin_on_Barrientos_Island,_Antarctica.jpg', 'non-linear rescaling, cropping, sharpening'),
    'gcompris-petra': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/wonders/petra.webp',
        'Petra Jordan BW 36', 'Berthold Werner',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Petra_Jordan_BW_36.JPG', ''),
    'gcompris-pig': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/pig.webp',
        'Pig 1, Savaii, Samoa', 'Teinesavaii',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Pig_1,_Savaii,_Samoa.JPG', ''),
    'gcompris-pika': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/pika.webp',
        'pika', 'NPS Climate Change Response',
        'Public-Domain', 'https://www.flickr.com/photos/npsclimatechange/23072904076/', 'cropping, sharpening'),
    'gcompris-pont-du-gard': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/pontduGard.webp',
        'Pontdugard', 'Mimova',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Pontdugard.jpg', ''),
    'gcompris-qutub-minar': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/qutubMinar.webp',
        'Qutubmin', 'pramadas',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Qutubmin.jpg', ''),
    'gcompris-rang-ghar': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/rangGhar.webp',
        'Rangghar Assam', 'Porikolpok Oxom',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Rangghar_Assam.JPG', ''),
    'gcompris-red-panda': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/red_panda.webp',
        'Red Panda (30324056733)', 'Mathias Appel',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Red_Panda_(30324056733).jpg', 'cropping, sharpening'),
    'gcompris-reims-cathedral': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/reimsCathedral.webp',
        'Reims Cathedrale Notre Dame 002 chevet', 'Mattana',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Reims_Cathedrale_Notre_Dame_002_chevet.JPG', ''),
    'gcompris-rhinoceros': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/rhinoceros.webp',
        'Indian rhinoceros (Rhinoceros unicornis) 4', 'Charles J. Sharp',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Indian_rhinoceros_(Rhinoceros_unicornis)_4.jpg', 'cropping, sharpening'),
    'gcompris-rocamadour': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/france/rocamadour.webp',
        'Rocamadour fda', 'François Darras',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Rocamadour_fda.jpg', ''),
    'gcompris-scarlet-macaw': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_world_animals.rcc!gcompris/src/activities/explore_world_animals/resource/animals/scarlet_macaw.webp',
        'Scarlet macaw at Cougar Mountain Zoological Park', 'Dcoetzee',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Scarlet_macaw_at_Cougar_Mountain_Zoological_Park.jpg', ''),
    'gcompris-schwerin-palace': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/germany/schwerinPalace.webp',
        '2012.02.26.121724 Schloss Schwerin', 'Hermann Luyken',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:2012.02.26.121724_Schloss_Schwerin.jpg', ''),
    'gcompris-sheep': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_farm_animals.rcc!gcompris/src/activities/explore_farm_animals/resource/animals/sheep.webp',
        'Sheep (33625876592)', 'Rob Mitchell',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Sheep_(33625876592).jpg', ''),
    'gcompris-spoonbills': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/spoonbills.webp',
        'Косарі в дельті Дунаю', 'Ryzhkov Sergey',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:%D0%9A%D0%BE%D1%81%D0%B0%D1%80%D1%96_%D0%B2_%D0%B4%D0%B5%D0%BB%D1%8C%D1%82%D1%96_%D0%94%D1%83%D0%BD%D0%B0%D1%8E.jpg', 'cropping, sharpening'),
    'gcompris-squirrel': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/squirrel.webp',
        'Білка на дереві в дендропарку Олександрія', 'Роман Наумов',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:%D0%91%D1%96%D0%BB%D0%BA%D0%B0_%D0%BD%D0%B0_%D0%B4%D0%B5%D1%80%D0%B5%D0%B2%D1%96_%D0%B2_%D0%B4%D0%B5%D0%BD%D0%B4%D1%80%D0%BE%D0%BF%D0%B0%D1%80%D0%BA%D1%83_%D0%9E%D0%BB%D0%B5%D0%BA%D1%81%D0%B0%D0%BD%D0%B4%D1%80%D1%96%D1%8F.jpg', 'cropping, sharpening'),
    'gcompris-statue-of-liberty': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/usa/statueofLiberty.webp',
        'Liberty enlightening the world', '(WT-shared) Ypsilonatshared',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Liberty_enlightening_the_world.JPG', ''),
    'gcompris-swans': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/swans.webp',
        'Mute swans (Cygnus olor) and cygnets', 'Charles J. Sharp',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Mute_swans_(Cygnus_olor)_and_cygnets.jpg', 'cropping, sharpening'),
    'gcompris-taj-mahal': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/wonders/tajMahal.webp',
        'Taj Mahal, Agra, India', 'Yann',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Taj_Mahal,_Agra,_India.jpg', ''),
    'gcompris-toucan': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/erase.rcc!gcompris/src/activities/erase/resource/toucan.webp',
        'Pteroglossus torquatus Costa Rica', 'LG Nyqvist',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Pteroglossus_torquatus_Costa_Rica.jpg', 'cropping, sharpening'),
    'gcompris-tower-bridge-london': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/details.rcc!gcompris/src/activities/details/resource/image/TowerBridgeLondon_background.webp',
        'Tower Bridge London Feb 2006', 'David Iliff; adapted by Bruno Coudoin and others (GCompris)',
        'CC-BY-SA-4.0', 'https://commons.wikimedia.org/wiki/File:Tower_Bridge_London_Feb_2006.jpg', 'original photo CC-BY-SA-4.0'),
    'gcompris-trier-imperial-baths': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/germany/trierImperialBaths.webp',
        'Trier Kaiserthermen BW 1', 'Berthold Werner',
        'Public-Domain', 'https://commons.wikimedia.org/wiki/File:Trier_Kaiserthermen_BW_1.JPG', ''),
    'gcompris-victoria-memorial': Source(
        'gcompris-qt-data',
        'usr/share/gcompris-qt/rcc/explore_monuments.rcc!gcompris/src/activities/explore_monuments/resource/india/victoriaMemorial.webp',
        'Victoria Memorial Calcutta', 'Anourag',
        'CC0-1.0', 'https://commons.wikimedia.org/wiki/File:Victoria_Memorial_Calcutta.jpg', ''),
    'libjxl-blossom': Source(
        'libjxl-testdata',
        'usr/share/libjxl-testdata/external/wesaturate/500px/u76c0g_bliznaca_srgb8.png',
        'u76c0g_bliznaca', 'bliznaca (wesaturate)',
        'CC0-1.0', 'https://www.wesaturate.com/', ''),
    'libjxl-flower': Source(
        'libjxl-testdata',
        'usr/share/libjxl-testdata/jxl/flower/flower.png',
        'flower', 'the JPEG XL Project Authors',
        'BSD-3-Clause', 'https://github.com/libjxl/testdata', ''),
    'libjxl-rocky-lake': Source(
        'libjxl-testdata',
        'usr/share/libjxl-testdata/external/wesaturate/500px/cvo9xd_keong_macan_srgb8.png',
        'cvo9xd_keong_macan', 'keong_macan (wesaturate)',
        'CC0-1.0', 'https://www.wesaturate.com/', ''),
    'libjxl-tulips': Source(
        'libjxl-testdata',
        'usr/share/libjxl-testdata/external/wesaturate/500px/tmshre_riaphotographs_srgb8.png',
        'tmshre_riaphotographs', 'riaphotographs (wesaturate)',
        'CC0-1.0', 'https://www.wesaturate.com/', ''),
    'lomiri-aitzgorri': Source(
        'lomiri-wallpapers-16.04',
        'usr/share/backgrounds/aitzgorri_by_Aitzol_Berasategi.jpg',
        'aitzgorri', 'Aitzol Berasategi',
        'CC-BY-4.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
    'lomiri-dragonfly': Source(
        'lomiri-wallpapers-16.04',
        'usr/share/backgrounds/Dragonfly_by_Bolly.jpg',
        'Dragonfly', 'Bolly',
        'CC-BY-SA-4.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
    'lomiri-friends': Source(
        'lomiri-wallpapers-16.04',
        'usr/share/backgrounds/friends_by_Aitzol_Berasategi.jpg',
        'friends', 'Aitzol Berasategi',
        'CC-BY-4.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
    'lomiri-kleiber': Source(
        'lomiri-wallpapers-20.04',
        'usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg',
        'Kleiber', 'Lukas Baubkus',
        'CC-BY-SA-3.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
    'lomiri-life': Source(
        'lomiri-wallpapers-16.04',
        'usr/share/backgrounds/life_by_Aitzol_Berasategi.jpg',
        'life', 'Aitzol Berasategi',
        'CC-BY-4.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
    'lomiri-picosdeeuropa': Source(
        'lomiri-wallpapers-16.04',
        'usr/share/backgrounds/picosdeeuropa_by_Aitzol_Berasategi.jpg',
        'picosdeeuropa', 'Aitzol Berasategi',
        'CC-BY-4.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
    'lomiri-seeding': Source(
        'lomiri-wallpapers-16.04',
        'usr/share/backgrounds/seeding_by_Clements_Engelhardt.jpg',
        'seeding', 'Clemens Engelhardt',
        'CC0-1.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
    'lomiri-sunset': Source(
        'lomiri-wallpapers-16.04',
        'usr/share/backgrounds/sunset_by_Aitzol_Berasategi.jpg',
        'sunset', 'Aitzol Berasategi',
        'CC-BY-4.0', 'https://gitlab.com/ubports/development/core/lomiri-wallpapers', ''),
}

# class, source, number, crop box (x, y, width, height) in the upright source, output size, mode
PHOTOS = [
    ('ancient-site', 'gcompris-ajanta-cave', 1, (0, 0, 1024, 768), (400, 300), '420'),
    ('ancient-site', 'gcompris-arles-amphitheater', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('ancient-site', 'gcompris-arles-amphitheater', 2, (355, 38, 518, 691), (375, 500), '420'),
    ('ancient-site', 'gcompris-chichen-itza', 1, (27, 0, 970, 545), (500, 281), '420'),
    ('ancient-site', 'gcompris-colosseum', 1, (12, 0, 999, 666), (450, 300), '444'),
    ('ancient-site', 'gcompris-fort-sumter', 1, (92, 0, 840, 672), (400, 320), '420'),
    ('ancient-site', 'gcompris-giza-pyramid', 1, (0, 1, 1024, 683), (450, 300), '420'),
    ('ancient-site', 'gcompris-great-stupa', 1, (0, 0, 1023, 683), (400, 267), '420'),
    ('ancient-site', 'gcompris-great-wall', 1, (1, 0, 1021, 766), (500, 375), '420'),
    ('ancient-site', 'gcompris-konark-sun-temple', 1, (0, 0, 1024, 768), (500, 375), 'gray'),
    ('ancient-site', 'gcompris-konark-sun-temple', 2, (282, 38, 461, 614), (300, 400), '420'),
    ('ancient-site', 'gcompris-machu-picchu', 1, (0, 0, 1024, 575), (500, 281), '420'),
    ('ancient-site', 'gcompris-meidum-pyramid', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('ancient-site', 'gcompris-navajo', 1, (0, 0, 1024, 768), (400, 300), 'progressive'),
    ('ancient-site', 'gcompris-petra', 1, (32, 0, 960, 720), (400, 300), '420'),
    ('ancient-site', 'gcompris-petra', 2, (398, 72, 432, 576), (300, 400), '420'),
    ('ancient-site', 'gcompris-pont-du-gard', 1, (56, 0, 911, 681), (400, 299), '420'),
    ('ancient-site', 'gcompris-pont-du-gard', 2, (297, 136, 636, 477), (400, 300), '420'),
    ('ancient-site', 'gcompris-trier-imperial-baths', 1, (6, 0, 1012, 569), (500, 281), 'exif'),
    ('bird', 'gcompris-chicken', 1, (0, 0, 1023, 683), (400, 267), '420'),
    ('bird', 'gcompris-duck', 1, (0, 0, 1024, 965), (453, 427), '420'),
    ('bird', 'gcompris-gosling', 1, (86, 0, 1440, 1080), (500, 375), '420'),
    ('bird', 'gcompris-gosling', 2, (442, 54, 729, 972), (375, 500), '420'),
    ('bird', 'gcompris-heron', 1, (53, 0, 1622, 1080), (500, 333), '420'),
    ('bird', 'gcompris-heron', 2, (403, 97, 1037, 778), (500, 375), '420'),
    ('bird', 'gcompris-kingfisher', 1, (144, 0, 1440, 1080), (500, 375), '420'),
    ('bird', 'gcompris-northern-harrier', 1, (0, 0, 1920, 1079), (500, 281), '422'),
    ('bird', 'gcompris-northern-harrier', 2, (385, 11, 1265, 842), (500, 333), '420'),
    ('bird', 'gcompris-owl', 1, (113, 0, 911, 683), (500, 375), '420'),
    ('bird', 'gcompris-owl', 2, (491, 34, 410, 546), (375, 500), '420'),
    ('bird', 'gcompris-penguin', 1, (240, 0, 1440, 1080), (500, 375), 'gray'),
    ('bird', 'gcompris-scarlet-macaw', 1, (0, 12, 1024, 768), (500, 375), '420'),
    ('bird', 'gcompris-scarlet-macaw', 2, (201, 40, 416, 555), (375, 500), '420'),
    ('bird', 'gcompris-spoonbills', 1, (0, 0, 1920, 1079), (500, 281), 'progressive'),
    ('bird', 'gcompris-swans', 1, (0, 1, 1920, 1079), (500, 281), '420'),
    ('bird', 'gcompris-swans', 2, (62, 259, 837, 670), (500, 400), '420'),
    ('bird', 'gcompris-toucan', 1, (88, 0, 1437, 1080), (499, 375), '420'),
    ('bird', 'lomiri-kleiber', 1, (1440, 1017, 2546, 1695), (500, 333), '420'),
    ('castle-palace', 'gcompris-carcassonne', 1, (0, 0, 1024, 768), (400, 300), '420'),
    ('castle-palace', 'gcompris-carcassonne', 2, (230, 47, 666, 444), (400, 267), '420'),
    ('castle-palace', 'gcompris-castillo-san-marcos', 1, (43, 0, 938, 626), (400, 267), '420'),
    ('castle-palace', 'gcompris-castle-clinton', 1, (7, 0, 1010, 808), (420, 336), 'gray'),
    ('castle-palace', 'gcompris-chambord', 1, (0, 0, 1024, 768), (448, 336), '420'),
    ('castle-palace', 'gcompris-chambord', 2, (256, 135, 614, 345), (500, 281), '420'),
    ('castle-palace', 'gcompris-chenonceau', 1, (14, 0, 651, 366), (500, 281), '444'),
    ('castle-palace', 'gcompris-chenonceau-bank', 1, (0, 0, 1024, 768), (400, 300), '420'),
    ('castle-palace', 'gcompris-egeskov', 1, (25, 0, 631, 473), (400, 300), '420'),
    ('castle-palace', 'gcompris-eilan-donan-castle', 1, (0, 0, 680, 453), (500, 333), '420'),
    ('castle-palace', 'gcompris-hawa-mahal', 1, (0, 0, 1024, 768), (400, 300), '420'),
    ('castle-palace', 'gcompris-mysore-palace', 1, (0, 1, 1024, 575), (500, 281), '420'),
    ('castle-palace', 'gcompris-mysore-palace', 2, (204, 58, 617, 462), (400, 300), '420'),
    ('castle-palace', 'gcompris-neuschwanstein-castle', 1, (2, 0, 1020, 683), (499, 334), 'gray'),
    ('castle-palace', 'gcompris-neuschwanstein-castle', 2, (205, 68, 410, 546), (300, 400), '420'),
    ('castle-palace', 'gcompris-palais-des-papes', 1, (0, 0, 1024, 768), (500, 375), 'progressive'),
    ('castle-palace', 'gcompris-palais-des-papes', 2, (406, 38, 519, 692), (375, 500), '420'),
    ('castle-palace', 'gcompris-rang-ghar', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('castle-palace', 'gcompris-schwerin-palace', 1, (1, 0, 1022, 683), (500, 334), '420'),
    ('domestic-animal', 'forensics-dogs-lawn', 1, (300, 375, 3400, 2550), (400, 300), '420'),
    ('domestic-animal', 'forensics-two-dogs', 1, (307, 141, 614, 409), (500, 333), '420'),
    ('domestic-animal', 'gcompris-alpaca', 1, (48, 0, 1440, 1080), (500, 375), '420'),
    ('domestic-animal', 'gcompris-alpaca', 2, (289, 27, 688, 918), (300, 400), '420'),
    ('domestic-animal', 'gcompris-calf', 1, (278, 0, 1440, 1080), (500, 375), '420'),
    ('domestic-animal', 'gcompris-camels', 1, (0, 0, 1920, 1079), (500, 281), '420'),
    ('domestic-animal', 'gcompris-cat', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('domestic-animal', 'gcompris-cow', 1, (0, 0, 1024, 768), (640, 480), 'exif'),
    ('domestic-animal', 'gcompris-dog', 1, (0, 0, 1024, 768), (400, 300), '420'),
    ('domestic-animal', 'gcompris-goat', 1, (111, 0, 1622, 1080), (500, 333), '422'),
    ('domestic-animal', 'gcompris-horse', 1, (144, 0, 1440, 1080), (500, 375), '420'),
    ('domestic-animal', 'gcompris-horses', 1, (14, 0, 997, 664), (500, 333), '420'),
    ('domestic-animal', 'gcompris-kitten', 1, (336, 0, 1440, 1080), (500, 375), '420'),
    ('domestic-animal', 'gcompris-kitten', 2, (791, 135, 608, 810), (375, 500), '420'),
    ('domestic-animal', 'gcompris-pig', 1, (0, 0, 1024, 768), (400, 300), '420'),
    ('domestic-animal', 'gcompris-sheep', 1, (17, 0, 989, 742), (400, 300), 'gray'),
    ('domestic-animal', 'gcompris-sheep', 2, (310, 0, 445, 594), (300, 400), 'progressive'),
    ('domestic-animal', 'lomiri-friends', 1, (103, 2, 1850, 2467), (375, 500), '420'),
    ('domestic-animal', 'lomiri-friends', 2, (514, 371, 1234, 1852), (333, 500), '420'),
    ('landmark', 'gcompris-aula-palatina', 1, (57, 0, 909, 682), (400, 300), '420'),
    ('landmark', 'gcompris-berlin-cathedral', 1, (0, 1, 1024, 682), (500, 333), '420'),
    ('landmark', 'gcompris-brandenburg-gate', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('landmark', 'gcompris-charminar', 1, (0, 0, 768, 1024), (375, 500), '420'),
    ('landmark', 'gcompris-eiffel-tower', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('landmark', 'gcompris-fanoe-windmill', 1, (0, 0, 333, 500), (333, 500), '420'),
    ('landmark', 'gcompris-gateway-of-india', 1, (0, 0, 1024, 768), (448, 336), '420'),
    ('landmark', 'gcompris-golden-temple', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('landmark', 'gcompris-lincoln-memorial', 1, (101, 0, 823, 548), (500, 333), '444'),
    ('landmark', 'gcompris-mont-saint-michel', 1, (196, 43, 735, 490), (500, 333), '420'),
    ('landmark', 'gcompris-mount-rushmore', 1, (0, 0, 1024, 768), (640, 480), '420'),
    ('landmark', 'gcompris-notre-dame', 1, (0, 0, 376, 500), (376, 500), '420'),
    ('landmark', 'gcompris-qutub-minar', 1, (0, 0, 768, 1024), (375, 500), '420'),
    ('landmark', 'gcompris-reims-cathedral', 1, (0, 0, 1024, 768), (500, 375), '420'),
    ('landmark', 'gcompris-rocamadour', 1, (0, 0, 1024, 682), (500, 333), '420'),
    ('landmark', 'gcompris-statue-of-liberty', 1, (38, 0, 691, 922), (375, 500), '420'),
    ('landmark', 'gcompris-taj-mahal', 1, (7, 0, 1011, 673), (500, 333), '420'),
    ('landmark', 'gcompris-tower-bridge-london', 1, (85, 0, 510, 340), (480, 320), 'gray+progressive'),
    ('landmark', 'gcompris-victoria-memorial', 1, (211, 0, 601, 451), (480, 360), '420'),
    ('landscape', 'gcompris-canyon-de-chelly', 1, (80, 0, 865, 692), (420, 336), '420'),
    ('landscape', 'gcompris-canyon-de-chelly', 2, (240, 173, 646, 484), (400, 300), '420'),
    ('landscape', 'libjxl-rocky-lake', 1, (0, 112, 500, 375), (500, 375), '420'),
    ('landscape', 'libjxl-rocky-lake', 2, (12, 0, 375, 500), (375, 500), '420'),
    ('landscape', 'lomiri-aitzgorri', 3, (0, 0, 3087, 2056), (500, 333), '420'),
    ('landscape', 'lomiri-aitzgorri', 4, (1030, 0, 1645, 1234), (500, 375), '420'),
    ('landscape', 'lomiri-aitzgorri', 5, (91, 257, 1670, 1336), (500, 400), '420'),
    ('landscape', 'lomiri-life', 1, (4, 0, 3080, 2056), (400, 267), '420'),
    ('landscape', 'lomiri-life', 2, (1197, 51, 1002, 1336), (300, 400), '420'),
    ('landscape', 'lomiri-life', 3, (0, 668, 1508, 1131), (400, 300), '420'),
    ('landscape', 'lomiri-life', 4, (1394, 668, 1694, 1131), (400, 267), '420'),
    ('landscape', 'lomiri-picosdeeuropa', 1, (0, 0, 3264, 2448), (640, 480), '422'),
    ('landscape', 'lomiri-picosdeeuropa', 2, (979, 449, 1958, 1304), (500, 333), '420'),
    ('landscape', 'lomiri-picosdeeuropa', 3, (0, 734, 1958, 1469), (400, 300), '420'),
    ('landscape', 'lomiri-picosdeeuropa', 4, (1469, 475, 1795, 1009), (500, 281), '420'),
    ('landscape', 'lomiri-picosdeeuropa', 5, (546, 857, 1193, 1591), (300, 400), 'exif'),
    ('landscape', 'lomiri-picosdeeuropa', 6, (0, 474, 1371, 913), (500, 333), '420'),
    ('landscape', 'lomiri-sunset', 1, (522, 427, 3228, 2421), (500, 375), '420'),
    ('landscape', 'lomiri-sunset', 2, (214, 1425, 2136, 1423), (500, 333), 'progressive'),
    ('plant', 'gcompris-bee', 3, (919, 0, 876, 657), (400, 300), 'gray'),
    ('plant', 'libjxl-blossom', 1, (0, 62, 500, 375), (500, 375), '420'),
    ('plant', 'libjxl-blossom', 2, (88, 0, 375, 500), (375, 500), '420'),
    ('plant', 'libjxl-blossom', 3, (80, 85, 420, 280), (420, 280), '420'),
    ('plant', 'libjxl-flower', 1, (0, 1, 2268, 1510), (500, 333), '420'),
    ('plant', 'libjxl-flower', 2, (610, 151, 1411, 1058), (500, 375), '420'),
    ('plant', 'libjxl-flower', 3, (482, 340, 624, 832), (375, 500), '420'),
    ('plant', 'libjxl-flower', 4, (1147, 113, 1109, 832), (400, 300), '420'),
    ('plant', 'libjxl-flower', 5, (1172, 529, 604, 907), (333, 500), '420'),
    ('plant', 'libjxl-flower', 6, (164, 907, 806, 605), (400, 300), '420'),
    ('plant', 'libjxl-tulips', 1, (0, 62, 500, 375), (500, 375), '444'),
    ('plant', 'libjxl-tulips', 2, (125, 0, 375, 500), (375, 500), '420'),
    ('plant', 'lomiri-aitzgorri', 1, (2239, 617, 771, 1028), (300, 400), '420'),
    ('plant', 'lomiri-aitzgorri', 2, (496, 535, 1170, 781), (400, 267), '420'),
    ('plant', 'lomiri-dragonfly', 2, (2278, 1584, 1188, 1584), (375, 500), '420'),
    ('plant', 'lomiri-seeding', 1, (0, 1, 5312, 2985), (500, 281), '420'),
    ('plant', 'lomiri-seeding', 2, (100, 0, 2988, 2241), (500, 375), '420'),
    ('plant', 'lomiri-seeding', 3, (641, 75, 1905, 2540), (375, 500), '420'),
    ('plant', 'lomiri-seeding', 4, (591, 224, 1793, 1345), (400, 300), '420'),
    ('reptile-invertebrate', 'gcompris-bee', 1, (10, 0, 1413, 1060), (500, 375), 'progressive'),
    ('reptile-invertebrate', 'gcompris-bee', 2, (0, 344, 777, 583), (400, 300), '420'),
    ('reptile-invertebrate', 'gcompris-butterfly', 1, (48, 0, 1440, 1080), (500, 375), 'gray'),
    ('reptile-invertebrate', 'gcompris-butterfly', 2, (177, 108, 1297, 864), (500, 333), '420'),
    ('reptile-invertebrate', 'gcompris-butterfly', 3, (274, 0, 719, 1080), (333, 500), '420'),
    ('reptile-invertebrate', 'gcompris-caterpillar', 1, (0, 0, 1920, 1079), (500, 281), '420'),
    ('reptile-invertebrate', 'gcompris-caterpillar', 2, (62, 184, 950, 713), (400, 300), '420'),
    ('reptile-invertebrate', 'gcompris-chamaeleon', 1, (0, 0, 1622, 1080), (500, 333), '420'),
    ('reptile-invertebrate', 'gcompris-chamaeleon', 2, (48, 216, 864, 648), (400, 300), '420'),
    ('reptile-invertebrate', 'gcompris-chamaeleon', 3, (384, 108, 1152, 864), (400, 300), '420'),
    ('reptile-invertebrate', 'gcompris-chameleon', 1, (0, 0, 1024, 768), (400, 300), '420'),
    ('reptile-invertebrate', 'gcompris-chameleon', 2, (97, 96, 666, 499), (400, 300), '420'),
    ('reptile-invertebrate', 'gcompris-crab', 1, (240, 0, 1440, 1080), (500, 375), '420'),
    ('reptile-invertebrate', 'gcompris-crab', 2, (514, 205, 893, 670), (400, 300), '422'),
    ('reptile-invertebrate', 'gcompris-crocodile', 1, (132, 0, 759, 506), (450, 300), '420'),
    ('reptile-invertebrate', 'gcompris-crocodile', 2, (387, 81, 637, 425), (400, 267), '420'),
    ('reptile-invertebrate', 'gcompris-dragon', 1, (1, 0, 1022, 682), (400, 267), '420'),
    ('reptile-invertebrate', 'gcompris-dragon', 2, (347, 136, 637, 477), (400, 300), '420'),
    ('reptile-invertebrate', 'lomiri-dragonfly', 1, (1795, 776, 1478, 1109), (400, 300), '420'),
    ('wild-mammal', 'gcompris-cheetah', 1, (432, 0, 1440, 1080), (400, 300), '420'),
    ('wild-mammal', 'gcompris-flying-fox', 1, (298, 0, 1622, 1080), (500, 333), 'progressive'),
    ('wild-mammal', 'gcompris-gibbon', 1, (593, 0, 810, 1080), (375, 500), '420'),
    ('wild-mammal', 'gcompris-giraffe', 1, (432, 0, 1440, 1080), (500, 375), '420'),
    ('wild-mammal', 'gcompris-gorilla', 1, (182, 0, 1440, 1080), (400, 300), 'gray+exif'),
    ('wild-mammal', 'gcompris-hedgehog', 1, (25, 0, 975, 731), (496, 372), '420'),
    ('wild-mammal', 'gcompris-jaguar', 1, (0, 1, 1024, 682), (500, 333), '420'),
    ('wild-mammal', 'gcompris-koala', 1, (0, 0, 768, 1024), (375, 500), '420'),
    ('wild-mammal', 'gcompris-lemur', 1, (0, 2, 1024, 680), (500, 332), '420'),
    ('wild-mammal', 'gcompris-long-nosed-monkey', 1, (149, 0, 1622, 1080), (500, 333), '420'),
    ('wild-mammal', 'gcompris-macaque', 1, (480, 0, 1440, 1080), (500, 375), '420'),
    ('wild-mammal', 'gcompris-meerkats', 1, (432, 0, 1440, 1080), (500, 375), '420'),
    ('wild-mammal', 'gcompris-moose', 1, (57, 0, 911, 683), (500, 375), '444'),
    ('wild-mammal', 'gcompris-nubian-ibex', 1, (149, 0, 1622, 1080), (500, 333), '420'),
    ('wild-mammal', 'gcompris-panda', 1, (7, 0, 908, 681), (400, 300), '420'),
    ('wild-mammal', 'gcompris-pika', 1, (470, 0, 1440, 1080), (500, 375), '420'),
    ('wild-mammal', 'gcompris-red-panda', 1, (470, 0, 1440, 1080), (500, 375), '420'),
    ('wild-mammal', 'gcompris-rhinoceros', 1, (0, 0, 1920, 1079), (500, 281), '420'),
    ('wild-mammal', 'gcompris-squirrel', 1, (0, 0, 1440, 1080), (500, 375), '420'),
]


def rcc_entry(blob, wanted):
    """The bytes of one file in a Qt binary resource file (format 1 to 3)."""
    if blob[:4] != b'qres':
        raise ValueError('not a Qt resource file')
    version, tree, data, names = struct.unpack_from('>4I', blob, 4)
    node_size = 14 if version < 2 else 22

    def name(node):
        offset = names + struct.unpack_from('>I', blob, tree + node * node_size)[0]
        length = struct.unpack_from('>H', blob, offset)[0]
        return blob[offset + 6:offset + 6 + 2 * length].decode('utf-16-be')

    node = 0
    for part in wanted.split('/'):
        count, first = struct.unpack_from('>2I', blob, tree + node * node_size + 6)
        node = next(n for n in range(first, first + count) if name(n) == part)
    at = tree + node * node_size
    flags = struct.unpack_from('>H', blob, at + 4)[0]
    offset = data + struct.unpack_from('>I', blob, at + 10)[0]
    length = struct.unpack_from('>I', blob, offset)[0]
    raw = blob[offset + 4:offset + 4 + length]
    if flags & 4:
        raise ValueError('zstd entry: ' + wanted)
    return zlib.decompress(raw[4:]) if flags & 1 else raw


def load(root, source):
    """The upright RGB picture of a source."""
    path, _, inner = source.path.partition('!')
    with open(os.path.join(root, source.package, *path.split('/')), 'rb') as f:
        blob = f.read()
    if inner:
        blob = rcc_entry(blob, inner)
    return ImageOps.exif_transpose(Image.open(io.BytesIO(blob))).convert('RGB')


def file_name(photo):
    return '%s-%03d.jpg' % (photo[1], photo[2])


def quality_of(photo):
    return QUALITIES[zlib.crc32(file_name(photo).encode()) % len(QUALITIES)]


def ascii_text(text):
    return text.encode('ascii', 'replace').decode()


def encode(picture, photo):
    """The JPEG bytes of one photo cut from its picture."""
    _, source, _, (x, y, w, h), size, mode = photo
    modes = mode.split('+')
    image = picture.crop((x, y, x + w, y + h)).resize(size, Image.Resampling.LANCZOS)
    options = {'quality': quality_of(photo)}
    if 'gray' in modes:
        image = image.convert('L')
    else:
        options['subsampling'] = 0 if '444' in modes else 1 if '422' in modes else 2
    if 'progressive' in modes:
        options['progressive'] = True
    if 'exif' in modes:
        exif = Image.Exif()
        exif[0x010E] = ascii_text(SOURCES[source].title)     # ImageDescription
        exif[0x0112] = 1                                     # Orientation
        exif[0x013B] = ascii_text(SOURCES[source].author)    # Artist
        exif[0x8298] = SOURCES[source].licence               # Copyright
        options['exif'] = exif.tobytes()
    out = io.BytesIO()
    image.save(out, 'JPEG', **options)
    return out.getvalue()


TSV_COLUMNS = ('file', 'class', 'package', 'package_version', 'original_file',
               'title', 'author', 'licence', 'source', 'note', 'crop_x_y_w_h',
               'scale', 'width', 'height', 'quality', 'mode', 'bytes', 'sha256')


def tsv_row(photo, data):
    cls, key, _, box, size, mode = photo
    s = SOURCES[key]
    return (cls + '/' + file_name(photo), cls, s.package, PACKAGES[s.package],
            s.path, s.title, s.author, s.licence, s.url, s.note,
            ','.join(map(str, box)), '%.4f' % (size[0] / box[2]),
            str(size[0]), str(size[1]), str(quality_of(photo)), mode,
            str(len(data)), hashlib.sha256(data).hexdigest())


def attribution():
    lines = ['# Attribution of the sample photos', '',
             'Each photo in `samples/photos` is a changed copy of one of the pictures',
             'below: cropped, resized and saved again as JPEG, a few in greyscale.',
             'A changed copy is under the licence of its picture; the texts are in this',
             'folder.  No author endorses this project or its use of a picture.', '',
             'A photo belongs to the picture whose name it starts with, before the number.', '']
    for key in sorted(SOURCES):
        s = SOURCES[key]
        note = ' (%s)' % s.note if s.note else ''
        lines.append('- `%s`: "%s" by %s%s. Licence: %s. Source: <%s>, by way of the Debian package %s %s.'
                     % (key, s.title, s.author, note, s.licence, s.url, s.package,
                        PACKAGES[s.package]))
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description='Rebuilds the sample photos.')
    parser.add_argument('--sources', required=True, help='folder of the unpacked packages')
    parser.add_argument('--out', required=True, help='image folder to write or check')
    parser.add_argument('--check', action='store_true', help='compare instead of writing')
    parser.add_argument('--docs', help='also write SOURCES.tsv and LICENSES/ATTRIBUTION.md here')
    args = parser.parse_args()
    if PIL.__version__ != PILLOW_VERSION:
        print('warning: made with Pillow %s, this is %s; bytes may differ'
              % (PILLOW_VERSION, PIL.__version__), file=sys.stderr)

    made = {}
    for key in sorted(SOURCES):
        picture = load(args.sources, SOURCES[key])
        for photo in PHOTOS:
            if photo[1] == key:
                made[photo[0], file_name(photo)] = encode(picture, photo)

    different = 0
    for (cls, name), data in sorted(made.items()):
        path = os.path.join(args.out, cls, name)
        if args.check:
            try:
                with open(path, 'rb') as f:
                    same = f.read() == data
            except FileNotFoundError:
                same = False
            if not same:
                different += 1
                print('differs: %s/%s' % (cls, name))
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f:
                f.write(data)
    if args.docs:
        os.makedirs(os.path.join(args.docs, 'LICENSES'), exist_ok=True)
        rows = [TSV_COLUMNS] + sorted(tsv_row(p, made[p[0], file_name(p)]) for p in PHOTOS)
        with open(os.path.join(args.docs, 'SOURCES.tsv'), 'w', encoding='utf-8', newline='\n') as f:
            f.writelines('\t'.join(row) + '\n' for row in rows)
        with open(os.path.join(args.docs, 'LICENSES', 'ATTRIBUTION.md'), 'w',
                  encoding='utf-8', newline='\n') as f:
            f.write(attribution())
    print('%d photos, %d bytes%s' % (len(made), sum(map(len, made.values())),
                                     ', %d differ' % different if args.check else ''))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
