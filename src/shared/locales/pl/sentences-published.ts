import type { Translated } from '../../locale/messages'
import type en from '../en/sentences-published'

export default {
  goldsboroughTable:
    'Punkty dwuwymiarowe w tylu skupiskach, ile klastrów, losowe punkty jako początek, 300 iteracji w każdym systemie, któremu można narzucić ich liczbę.',
  goldsboroughObjective:
    'Postać podana w późniejszym raporcie: od losowych centroidów, dopóki funkcja celu nie zmaleje o mniej niż próg.',
  whetherItsCentroids:
    'Nie powiedziano, czy jego centroidy to punkty, czy współrzędne: tutaj to k różnych punktów, jak w tabeli, a --init random-box losuje współrzędne.',
  theThresholdAndTheLimit: 'Próg i limit 300 są nasze; jego czasy nie są znane.',
  meanOf5Runs:
    'Średnia z 5 przebiegów po T = 300 iteracji, k = 5; dla scikit-learn 300 to górny limit, dla scipy liczba ponownych startów (tutaj scipy wykonuje 300 iteracji z jednego startu).',
  thePrintedCuda3:
    'Wydrukowany "CUDA 3" liczy błędne centroidy (jego zgrubna redukcja nigdy nie sumuje liczebności i dzieli niezredukowane sumy), więc jego 0,0171 s nie jest czasem k-średnich.',
  inThePrintedEigen:
    'W wydrukowanym "Eigen" liczebności zaczynają się od 1, a początkowy centroid to jedna liczba zamiast wiersza; "NumPy" nie liczy współrzędnej równej zeru.',
  inCuda2AndCuda3:
    'W CUDA 2 i CUDA 3 wątek kończy się przed barierą; tylko CUDA 3 redukuje w bloku, a jego ostatni blok redukuje stare wartości, gdy n nie jest wielokrotnością 1024.',
  theStudyShuffles:
    'Badanie tasuje x i y osobno i losuje ze zwracaniem, więc jego początkowe centroidy nie są punktami danych i mogą być równe; tutaj początkiem jest k różnych wierszy.',
  itsDataAreBlobs:
    'Jego dane to skupiska z make_blobs z tyloma środkami, ile klastrów; skupiska tutaj mają ten sam rozrzut (odchylenie standardowe 1 w obszarze 20 x 20), ale ich środki są od siebie i od brzegu oddalone, a make_blobs losuje je równomiernie.',
  titanXPascal: 'Titan X Pascal (raport podaje GeForce GTX)',
  diDioTable:
    'Losowe punkty płaszczyzny, pierwsze k z nich jako początek, dopóki każda współrzędna każdego centroidu nie przesunie się co najwyżej o tolerancję.',
  wholeRunsToConvergence:
    'Całe przebiegi do zbieżności od pierwszych k wierszy; jego dane nie są tu znane, ani liczba iteracji stojąca za czasem.',
  cAcceptsAShift:
    'C akceptuje przesunięcie równe tolerancji, CUDA i OpenMP wymagają mniejszego; tolerancja tutaj, 0,0001, jest nasza.',
  thePrintedC:
    'Wydrukowany C nigdy się nie zatrzymuje, gdy klaster jest pusty; CUDA i OpenMP przenoszą puste klastry do początku układu; OpenMP obcina współrzędne do liczb całkowitych podczas sumowania, więc jego czasy dotyczą innej arytmetyki.',
  dhanasekaranRubinTable: 'Systemy na CPU wobec tych na urządzeniu: pięć rozmiarów, 50 wymuszonych iteracji.',
  totalWallTime:
    'Całkowity czas zegarowy 50 wymuszonych iteracji z przesyłaniem, bez tworzenia danych, na jednostajnych danych losowych.',
  thePrintedListing:
    'Wydrukowanemu kodowi brakuje barier między użyciami tablicy indeksów; wymaga on, by n było wielokrotnością 256, a tablica mieściła większą z liczb: k i rozmiar grupy.',
  forK100:
    'Dla k = 100 stosunek samego GPU do hybrydy wynosi średnio 1,5 w streszczeniu i 1,7 w tabeli rysunku 7.',
  thePointsOfTheFigure: 'Punkty rysunku nie są wydrukowane jako liczby.',
  figure5:
    'Czas w zależności od rozmiaru danych, od 1 do 32 milionów słów, linia dla każdego d = {0} (nasz wybór), jeden panel dla k = 100 i jeden dla k = 400.',
  figure7:
    'Samo GPU (irregular-reduction) względem hybrydy (hybrid-parallel), według liczby słów przesyłanych między hostem a urządzeniem w iteracji: n + k d dla hybrydy, więc przypadki stoją w kolejności n (rozmiary to nasz wybór).',
  figure8:
    'Samo GPU (irregular-reduction) i hybryda (hybrid-parallel), obie względem MineBench (openmp; rozmiary to nasz wybór).',
  sweepOfPoints:
    'Seria po liczbie punktów, d = 4, k = {0}, 20 iteracji, mierzone w fazach, iteracjach i jako całość.',
  sweepOfFeatures:
    'Seria po liczbie cech przy 100000 punktów, k = {0}, 20 iteracji, mierzone w fazach, iteracjach i jako całość.',
  smallData:
    'Małe dane, na których łatwo widać poprawność, dopóki żadna etykieta się nie zmienia; zachowują rozmiar w każdej skali.',
  sizesAreOurs: 'Rozmiary, k, początek i zatrzymanie to nasz wybór; wyników tego projektu nie znamy.',
  fourModulesPoints: 'Cztery moduły: liczba punktów',
  fourModulesFeatures: 'Cztery moduły: liczba cech',
  fourModulesSmall: 'Cztery moduły: małe pliki',
  diDioName: 'Di Dio: tabela',
  goldsboroughName: 'Goldsborough: tabela',
  dhanasekaranRubinName: 'Dhanasekaran & Rubin: tabela',
  nameFigure: 'Dhanasekaran & Rubin: rysunek {0}',
  nameObjective: 'Goldsborough: funkcja celu',
} satisfies Translated<typeof en>
